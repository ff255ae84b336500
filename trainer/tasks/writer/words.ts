/** What the judge's client says, said of the writer: both ask by one client. */
export const writersWords = (text: string): string =>
  text
    .replaceAll('COACH_JUDGE_', 'COACH_WRITER_')
    .replace(/, or into the editor with Coach: Set Judge API Key/, '')
    .replace(/gave no verdict/g, 'gave no reply')
    .replace(
      /the question is \d+ tokens and its reply up to \d+, this judge reads (\d+): .*/,
      'a question and its reply are longer than the $1 tokens that this judge reads; take a model with a longer context',
    )
    .replace(/\bjudge\b/g, 'writer');
