/** The tab that `/trai:ui` opens. */
import { render } from 'preact';
import { App } from './app/App.tsx';
import { Pairing } from './app/Pairing.tsx';
import { hasCode, readToken, takeCode } from './backend/auth.ts';
import { createLiveBackend } from './backend/live.ts';
import { createApp } from './state/app.ts';
import './ui/styles/index.ts';

// The address of `trai ui` opened in a tab that is there already: only its fragment is new, so nothing is loaded by itself.
window.addEventListener('hashchange', () => {
  if (hasCode()) location.reload();
});
const root = document.getElementById('root');
if (root === null) throw new Error('the page has no root element');
const code = await takeCode();
// The link of a tab that is signed in, opened in it once more, takes nothing away from it.
if (code.state === 'failed' && !(code.error.data['reused'] === true && readToken() !== null)) {
  render(<Pairing failed={code.error} />, root);
} else {
  render(<App app={createApp(createLiveBackend(), null)} />, root);
}
