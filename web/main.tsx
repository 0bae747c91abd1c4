/** The tab that `/trai:ui` opens. */
import { render } from 'preact';
import { App } from './app/App.tsx';
import { Pairing } from './app/Pairing.tsx';
import { hasCode, readToken, takeCode } from './backend/auth.ts';
import { createLiveBackend } from './backend/live.ts';
import { createApp } from './state/app.ts';
import './ui/styles/index.ts';

// `trai ui` in an open tab changes only the fragment, which loads nothing by itself.
window.addEventListener('hashchange', () => {
  if (hasCode()) location.reload();
});
const root = document.getElementById('root');
if (root === null) throw new Error('the page has no root element');
const failed = await takeCode();
// A used link, opened again in a tab that is signed in, does no harm.
if (failed !== null && !(failed.data['reused'] === true && readToken() !== null)) {
  render(<Pairing failed={failed} />, root);
} else {
  render(<App app={createApp(createLiveBackend(), null)} />, root);
}
