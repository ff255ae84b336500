/**
 * uPlot makes a number format for navigator.language as soon as it is loaded. Where the system's locale is C or POSIX,
 * Chromium names it
 * `en-US@posix`, which Intl refuses, and the whole page would stay blank. So this is imported before uPlot.
 */
try {
  new Intl.NumberFormat(navigator.language);
} catch {
  Object.defineProperty(navigator, 'language', { value: 'en-US', configurable: true });
}
