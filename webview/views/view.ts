/**
 * What a page is to the shell: an element with one heading, updated at most once per frame, disposed when another page
 * comes.
 */
import type { ChartTheme } from '../components/chartTheme';
import type { Disposable } from '../components/dom';
import type { Store } from '../store';

export interface View extends Disposable {
  element: HTMLElement;
  /** the page's h1; takes the focus when the user comes here */
  heading: HTMLElement;
  update(): void;
  setTheme?(theme: ChartTheme): void;
}

export interface Context {
  store: Store;
  theme: ChartTheme;
  now: () => number;
}
