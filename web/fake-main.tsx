/** A recorded session without a server: for the browser tests, and where the sandbox cannot be entered. */
import { render } from 'preact';
import { App } from './app/App.tsx';
import { createFakeBackend } from './backend/fake.ts';
import { createApp } from './state/app.ts';
import './styles/index.ts';

const root = document.getElementById('root');
if (root === null) throw new Error('the page has no root element');
const scenario = new URLSearchParams(location.search).get('fake') ?? 'demo';
const backend = createFakeBackend(scenario);
const app = createApp(backend, 'recorded session');
// The tests drive what a server would do by itself through this one handle.
Object.assign(window, { traiFake: backend });
render(<App app={app} />, root);
