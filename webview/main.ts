/**
 * Mounts the panel: takes the host once, restores where the user was, tells the host that it listens, and draws when
 * the styles are there.
 */
import { App, waiting } from './app';
import { registerControls } from './components/controls';
import { setLocale } from './shared/format';
import { vscodeHost } from './host';
import { Store } from './store';
import { setStrings } from './shared/strings';

const ASK_AGAIN_MS = 1_000;

const host = vscodeHost();
const store = new Store(
  (request) => host.post(request),
  (run) => requestAnimationFrame(run),
  (state) => host.save(state),
);
const root = document.getElementById('app') ?? document.body;
let app: App | null = null;

registerControls();
store.restore(host.load());
if (root.childElementCount === 0) root.append(waiting()); // else a first screen stands there
root.dataset.script = 'ready';

/** The host may have answered before it was asked; where that was lost, it is asked once more. */
const ready = (): void => host.post({ type: 'ready', runId: store.runId });
ready();
void host.styled.then(() => {
  host.onEvent((event) => {
    // Words come with the first snapshot, so the shell is built after it; a host that can't make one says so.
    if (event.type === 'snapshot' && !app) {
      setStrings(event.strings);
      setLocale(event.locale);
    }
    store.receive(event);
    if (event.type === 'snapshot' || event.type === 'failed') app ??= new App(root, store, Date.now);
  });
  setTimeout(() => app ?? ready(), ASK_AGAIN_MS);
});
