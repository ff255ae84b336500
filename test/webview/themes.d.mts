export const themes: Record<
  'dark' | 'light' | 'highContrast' | 'highContrastLight',
  { kind: string; variables: Record<string, string> }
>;
