/** The page of a tab without a credential: how to get one, with a browser here or over SSH. */

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { ApiError } from '../../shared/api/api-error.ts';
import { type Pairing as OpenPairing, pollPairing, startPairing } from '../backend/auth.ts';
import { SIGN_IN } from '../messages/connection.ts';
import { Button } from '../ui/Button.tsx';
import { ErrorPanel } from '../ui/Notice.tsx';

const POLL_MS = 1_500;

/** `again`: the tab had a credential before. */
export function Pairing({ failed, again }: { failed: ApiError | null; again?: boolean }) {
  const pairing = useSignal<OpenPairing | null>(null);
  const error = useSignal<ApiError | null>(failed);

  const start = async (): Promise<void> => {
    try {
      pairing.value = await startPairing();
      error.value = null;
    } catch (thrown) {
      error.value = ApiError.from(thrown);
    }
  };

  useEffect(() => {
    const open = pairing.value;
    if (open === null) return;
    const timer = setInterval(() => {
      pollPairing(open)
        // Loads the page with the credential; nothing of the unpaired page stays.
        .then((done) => done && location.reload())
        .catch((thrown: unknown) => {
          pairing.value = null;
          error.value = ApiError.from(thrown);
        });
    }, POLL_MS);
    return () => clearInterval(timer);
  }, [pairing.value]);

  return (
    <div class="pairing">
      <h1>{again ? SIGN_IN.signedOut : SIGN_IN.title}</h1>
      <ErrorPanel error={error.value} />
      {again ? <p role="alert">{SIGN_IN.restarted}</p> : null}
      <p>
        {SIGN_IN.why} Type <code>/trai:ui</code> in Claude Code, or run <code>trai ui</code> in a terminal: it
        opens a tab that is signed in.
      </p>
      <h2>Over SSH, or when no browser opens</h2>
      {pairing.value === null ? (
        <Button kind="primary" onClick={() => void start()}>
          {SIGN_IN.code}
        </Button>
      ) : (
        <PairNumber pairing={pairing.value} />
      )}
    </div>
  );
}

function PairNumber({ pairing }: { pairing: OpenPairing }) {
  return (
    <div role="status">
      <p>{SIGN_IN.typeIt}</p>
      <p>In Claude Code:</p>
      <p class="pair-command mono">
        /trai:ui <strong>{pairing.number}</strong>
      </p>
      <p>
        In a terminal: <code>trai ui {pairing.number}</code>
      </p>
      <p class="muted">Waiting…</p>
    </div>
  );
}
