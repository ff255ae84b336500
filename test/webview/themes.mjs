/**
 * The CSS variables that VS Code sets on a webview's root element, for its four kinds of theme (Dark Modern, Light Modern, Dark and Light
 * High Contrast), as far as the page uses them; a variable that a theme leaves out (high contrast leaves out many) is left out here too.
 */
const fonts = { '--vscode-font-family': 'system-ui, "Segoe UI", "DejaVu Sans", sans-serif', '--vscode-font-size': '13px', '--vscode-font-weight': 'normal', '--vscode-editor-font-family': '"DejaVu Sans Mono", monospace', '--vscode-editor-font-size': '12px' };
const prefix = (colours) => Object.fromEntries(Object.entries(colours).map(([name, value]) => [`--vscode-${name}`, value]));

const dark = prefix({
  'foreground': '#cccccc', 'descriptionForeground': '#9d9d9d', 'disabledForeground': 'rgba(204, 204, 204, 0.5)', 'errorForeground': '#f85149', 'focusBorder': '#0078d4',
  'editor-background': '#1f1f1f', 'editor-foreground': '#cccccc', 'editorWidget-background': '#202020', 'editorHoverWidget-background': '#202020', 'panel-border': '#2b2b2b',
  'panelTitle-activeForeground': '#cccccc', 'panelTitle-activeBorder': '#0078d4', 'panelTitle-inactiveForeground': '#9d9d9d', 'panel-background': '#181818',
  'textLink-foreground': '#4daafc', 'textLink-activeForeground': '#4daafc', 'textCodeBlock-background': '#2b2b2b',
  'button-background': '#0078d4', 'button-foreground': '#ffffff', 'button-hoverBackground': '#026ec1', 'button-border': 'rgba(255, 255, 255, 0.07)', 'button-secondaryBackground': '#313131', 'button-secondaryForeground': '#cccccc', 'button-secondaryHoverBackground': '#3c3c3c',
  'checkbox-background': '#313131', 'checkbox-border': '#3c3c3c', 'checkbox-foreground': '#cccccc', 'dropdown-background': '#313131', 'dropdown-border': '#3c3c3c', 'dropdown-foreground': '#cccccc', 'dropdown-listBackground': '#1f1f1f',
  'input-background': '#313131', 'input-border': '#3c3c3c', 'input-foreground': '#cccccc', 'input-placeholderForeground': '#989898', 'settings-dropdownBackground': '#313131',
  'list-hoverBackground': '#2a2d2e', 'list-activeSelectionBackground': '#04395e', 'list-activeSelectionForeground': '#ffffff', 'list-focusOutline': '#0078d4', 'toolbar-hoverBackground': 'rgba(90, 93, 94, 0.31)', 'toolbar-activeBackground': 'rgba(99, 102, 103, 0.31)',
  'progressBar-background': '#0078d4', 'scrollbarSlider-background': 'rgba(121, 121, 121, 0.4)', 'badge-background': '#616161', 'badge-foreground': '#f8f8f8',
  'charts-foreground': '#cccccc', 'charts-lines': 'rgba(204, 204, 204, 0.5)', 'charts-red': '#f14c4c', 'charts-blue': '#59a4f9', 'charts-yellow': '#cca700', 'charts-orange': '#d18616', 'charts-green': '#89d185', 'charts-purple': '#b180d7',
  'testing-iconPassed': '#73c991', 'editorWarning-foreground': '#cca700', 'diffEditor-removedTextBackground': 'rgba(255, 0, 0, 0.2)',
  'debugTokenExpression-string': '#ce9178', 'debugTokenExpression-number': '#b5cea8', 'debugTokenExpression-boolean': '#4e94ce', 'symbolIcon-propertyForeground': '#cccccc',
});

const light = prefix({
  'foreground': '#3b3b3b', 'descriptionForeground': '#3b3b3b', 'disabledForeground': 'rgba(97, 97, 97, 0.5)', 'errorForeground': '#f85149', 'focusBorder': '#005fb8',
  'editor-background': '#ffffff', 'editor-foreground': '#3b3b3b', 'editorWidget-background': '#f8f8f8', 'editorHoverWidget-background': '#f8f8f8', 'panel-border': '#e5e5e5',
  'panelTitle-activeForeground': '#3b3b3b', 'panelTitle-activeBorder': '#005fb8', 'panelTitle-inactiveForeground': '#3b3b3b', 'panel-background': '#f8f8f8',
  'textLink-foreground': '#005fb8', 'textLink-activeForeground': '#005fb8', 'textCodeBlock-background': '#f8f8f8',
  'button-background': '#005fb8', 'button-foreground': '#ffffff', 'button-hoverBackground': '#0258a8', 'button-border': 'rgba(0, 0, 0, 0.1)', 'button-secondaryBackground': '#e5e5e5', 'button-secondaryForeground': '#3b3b3b', 'button-secondaryHoverBackground': '#cccccc',
  'checkbox-background': '#f8f8f8', 'checkbox-border': '#cecece', 'checkbox-foreground': '#3b3b3b', 'dropdown-background': '#ffffff', 'dropdown-border': '#cecece', 'dropdown-foreground': '#3b3b3b', 'dropdown-listBackground': '#ffffff',
  'input-background': '#ffffff', 'input-border': '#cecece', 'input-foreground': '#3b3b3b', 'input-placeholderForeground': '#767676', 'settings-dropdownBackground': '#ffffff',
  'list-hoverBackground': '#f2f2f2', 'list-activeSelectionBackground': '#e8e8e8', 'list-activeSelectionForeground': '#000000', 'list-focusOutline': '#005fb8', 'toolbar-hoverBackground': 'rgba(184, 184, 184, 0.31)', 'toolbar-activeBackground': 'rgba(166, 166, 166, 0.31)',
  'progressBar-background': '#005fb8', 'scrollbarSlider-background': 'rgba(100, 100, 100, 0.4)', 'badge-background': '#cccccc', 'badge-foreground': '#3b3b3b',
  'charts-foreground': '#3b3b3b', 'charts-lines': 'rgba(59, 59, 59, 0.5)', 'charts-red': '#e51400', 'charts-blue': '#1a85ff', 'charts-yellow': '#bf8803', 'charts-orange': '#d18616', 'charts-green': '#388a34', 'charts-purple': '#652d90',
  'testing-iconPassed': '#73c991', 'editorWarning-foreground': '#bf8803', 'diffEditor-removedTextBackground': 'rgba(255, 0, 0, 0.2)',
  'debugTokenExpression-string': '#a31515', 'debugTokenExpression-number': '#098658', 'debugTokenExpression-boolean': '#0000ff', 'symbolIcon-propertyForeground': '#3b3b3b',
});

const highContrast = prefix({
  'foreground': '#ffffff', 'descriptionForeground': 'rgba(255, 255, 255, 0.7)', 'disabledForeground': '#a5a5a5', 'errorForeground': '#f48771', 'focusBorder': '#f38518', 'contrastBorder': '#6fc3df', 'contrastActiveBorder': '#f38518',
  'editor-background': '#000000', 'editor-foreground': '#ffffff', 'editorWidget-background': '#0c141f', 'editorHoverWidget-background': '#0c141f', 'panel-border': '#6fc3df',
  'panelTitle-activeForeground': '#ffffff', 'panelTitle-activeBorder': '#6fc3df', 'panelTitle-inactiveForeground': '#ffffff', 'panel-background': '#000000',
  'textLink-foreground': '#21a6ff', 'textLink-activeForeground': '#21a6ff', 'button-foreground': '#ffffff', 'button-border': '#6fc3df', 'button-secondaryForeground': '#ffffff',
  'checkbox-background': '#000000', 'checkbox-border': '#6fc3df', 'checkbox-foreground': '#ffffff', 'dropdown-background': '#000000', 'dropdown-border': '#6fc3df', 'dropdown-foreground': '#ffffff', 'dropdown-listBackground': '#000000',
  'input-background': '#000000', 'input-border': '#6fc3df', 'input-foreground': '#ffffff', 'input-placeholderForeground': 'rgba(255, 255, 255, 0.7)', 'settings-dropdownBackground': '#000000',
  'list-focusOutline': '#f38518', 'progressBar-background': '#6fc3df', 'scrollbarSlider-background': 'rgba(111, 195, 223, 0.6)', 'badge-background': '#000000', 'badge-foreground': '#ffffff',
  'charts-foreground': '#ffffff', 'charts-lines': 'rgba(255, 255, 255, 0.5)', 'charts-red': '#f14c4c', 'charts-blue': '#59a4f9', 'charts-yellow': '#ffd370', 'charts-orange': '#d18616', 'charts-green': '#89d185', 'charts-purple': '#b180d7',
  'testing-iconPassed': '#73c991', 'editorWarning-foreground': '#ffd370',
  'debugTokenExpression-string': '#f48771', 'debugTokenExpression-number': '#89d185', 'debugTokenExpression-boolean': '#75bdfe',
});

const highContrastLight = prefix({
  'foreground': '#292929', 'descriptionForeground': 'rgba(41, 41, 41, 0.7)', 'disabledForeground': '#7f7f7f', 'errorForeground': '#b5200d', 'focusBorder': '#006bbd', 'contrastBorder': '#0f4a85', 'contrastActiveBorder': '#006bbd',
  'editor-background': '#ffffff', 'editor-foreground': '#292929', 'editorWidget-background': '#ffffff', 'editorHoverWidget-background': '#ffffff', 'panel-border': '#0f4a85',
  'panelTitle-activeForeground': '#292929', 'panelTitle-activeBorder': '#b5200d', 'panelTitle-inactiveForeground': '#292929', 'panel-background': '#ffffff',
  'textLink-foreground': '#0f4a85', 'textLink-activeForeground': '#0f4a85', 'textCodeBlock-background': '#f2f2f2', 'button-background': '#0f4a85', 'button-foreground': '#ffffff', 'button-hoverBackground': '#0f4a85', 'button-border': '#0f4a85', 'button-secondaryBackground': '#ffffff', 'button-secondaryForeground': '#292929',
  'checkbox-background': '#ffffff', 'checkbox-border': '#0f4a85', 'checkbox-foreground': '#292929', 'dropdown-background': '#ffffff', 'dropdown-border': '#0f4a85', 'dropdown-foreground': '#292929', 'dropdown-listBackground': '#ffffff',
  'input-background': '#ffffff', 'input-border': '#0f4a85', 'input-foreground': '#292929', 'input-placeholderForeground': 'rgba(41, 41, 41, 0.7)', 'settings-dropdownBackground': '#ffffff',
  'list-hoverBackground': 'rgba(15, 74, 133, 0.1)', 'list-activeSelectionBackground': 'rgba(15, 74, 133, 0.1)', 'list-focusOutline': '#006bbd', 'progressBar-background': '#0f4a85', 'badge-background': '#0f4a85', 'badge-foreground': '#ffffff',
  'charts-foreground': '#292929', 'charts-lines': 'rgba(41, 41, 41, 0.5)', 'charts-red': '#b5200d', 'charts-blue': '#1a85ff', 'charts-yellow': '#895503', 'charts-orange': '#895503', 'charts-green': '#374e06', 'charts-purple': '#652d90',
  'testing-iconPassed': '#007100', 'editorWarning-foreground': '#895503',
  'debugTokenExpression-string': '#a31515', 'debugTokenExpression-number': '#098658', 'debugTokenExpression-boolean': '#0000ff',
});

/** name -> body class, data-vscode-theme-kind and variables */
export const themes = {
  dark: { kind: 'vscode-dark', variables: { ...fonts, ...dark } },
  light: { kind: 'vscode-light', variables: { ...fonts, ...light } },
  highContrast: { kind: 'vscode-high-contrast', variables: { ...fonts, ...highContrast } },
  highContrastLight: { kind: 'vscode-high-contrast-light', variables: { ...fonts, ...highContrastLight } },
};
