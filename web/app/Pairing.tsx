/** The page of a tab without a credential: how to get one, with a browser here or over SSH. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { ApiError } from '../../shared/api/api-error.ts';
import { type Pairing as OpenPairing, pollPairing, startPairing } from '../backend/auth.ts';
import { Button } from '../ui/Button.tsx';
import { ErrorPanel } from '../ui/Notice.tsx';

const POLL_MS = 1_500;

/** @param again it was paired before */
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
        // The whole page starts again with the credential: nothing of the unpaired one stays.
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
      <h1>{again ? 'This tab is signed out' : 'Pair this tab'}</h1>
      {error.value === null ? null : <ErrorPanel error={error.value} />}
      {again ? (
        <p role="alert">
          The server does not know this tab any more: it was started anew, or many others were paired since.
          What was pending is pending still.
        </p>
      ) : null}
      <p>
        Only you may look at what is pending. Type <code>/trai:ui</code> in Claude Code, or run{' '}
        <code>trai ui</code> in a terminal: it opens a tab that is paired already.
      </p>
      <h2>Over SSH, or when no browser opens</h2>
      {pairing.value === null ? (
        <Button kind="primary" onClick={() => void start()}>
          Show a number
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
      <p>
        Type this in Claude Code, or without the slash and colon in a terminal. It is good for two minutes.
      </p>
      <p class="pair-command mono">
        /trai:ui <strong>{pairing.number}</strong>
      </p>
      <p class="muted">Waiting…</p>
    </div>
  );
}
