/** What the parts of the train pick share: the one list, in which each asks its question and comes back. */
import type { Choices, Row, TrainPickInput } from './trainPickInput';

export interface PickHost {
  readonly input: TrainPickInput;
  readonly choices: Choices;
  /** takes what was chosen and shows the first list again */
  change(changes: Partial<Choices>): void;
  /** the first list again, with nothing changed */
  main(): void;
  /** values in the place of the first list; the back button returns to it. @param active under the cursor */
  list(title: string, placeholder: string, rows: Row[], active?: Row): void;
  /** rows for what is typed into the list that is shown, before its own ones */
  typed(rowsFor: (text: string) => Row[]): void;
  /** a question in a dialog of its own, which hides the pick; undefined: the person thought better of it */
  elsewhere<T>(ask: () => Promise<T | undefined>, then: (answer: T) => void): Promise<void>;
}

export const checked = (isChosen: boolean, label: string): string => `${isChosen ? '$(check) ' : ''}${label}`;
