/** A recorded session without a server: for the browser tests, and where the sandbox cannot be entered. */
import { render } from 'preact';
import { App } from '../../web/app/App.tsx';
import { createApp } from '../../web/state/app.ts';
import { createFakeBackend } from './fake.ts';
import { paceOf } from './pace.ts';
import '../../web/ui/styles/index.ts';

const root = document.getElementById('root');
if (root === null) throw new Error('the page has no root element');
const asked = new URLSearchParams(location.search);
const backend = createFakeBackend(asked.get('fake') ?? 'demo', paceOf(asked.get('last')));
const app = createApp(backend, 'recorded session');
// Browser tests play the server through this handle.
Object.assign(window, { traiFake: backend });
render(<App app={app} />, root);
