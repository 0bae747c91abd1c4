/**
 * The page's one place where HTML text becomes nodes, and an address a worker. The server's policy demands Trusted
 * Types; these two policies are the only ones, and each has one caller. What the first lets through was escaped by
 * diff2html; what the second does is a script of the build.
 */
interface TrustedTypes {
  createPolicy<Rules extends Record<string, (text: string) => string>>(
    name: string,
    rules: Rules,
  ): Record<keyof Rules, (text: string) => unknown>;
}

declare global {
  interface Window {
    trustedTypes?: TrustedTypes;
  }
}

let html: { createHTML(text: string): unknown } | undefined;
let script: { createScriptURL(text: string): unknown } | undefined;

/** Parses into an inert fragment: nothing in it is loaded or run, and it holds no script or handler. */
export function fragmentOf(text: string): DocumentFragment {
  html ??= window.trustedTypes?.createPolicy('trai-diff', { createHTML: (trusted) => trusted });
  const template = document.createElement('template');
  // The DOM types know no TrustedHTML yet; where the browser does, the policy's value must be handed over as it is.
  template.innerHTML = (html === undefined ? text : html.createHTML(text)) as string;
  return template.content;
}

/** Starts a module of the build as a worker. Throws for an address that is not below the page's own `assets/`. */
export function workerAt(address: string): Worker {
  const url = new URL(address, document.baseURI).href;
  const own = new URL('assets/', document.baseURI).href;
  const createScriptURL = (wanted: string): string => {
    if (wanted.startsWith(own)) return wanted;
    throw new TypeError(`expected a worker of the build, below ${own}, got ${wanted}`);
  };
  script ??= window.trustedTypes?.createPolicy('trai-worker', { createScriptURL });
  // As above: a TrustedScriptURL where the browser knows it.
  return new Worker((script?.createScriptURL(url) ?? createScriptURL(url)) as string, { type: 'module' });
}
