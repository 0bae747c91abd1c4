/**
 * The page's one place where HTML text becomes nodes. The server's policy demands Trusted Types; this policy is the
 * only one, it has this one caller, and what it lets through was escaped by diff2html.
 */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createHTML(text: string): string },
  ): { createHTML(text: string): unknown };
}

declare global {
  interface Window {
    trustedTypes?: TrustedTypes;
  }
}

let policy: { createHTML(text: string): unknown } | undefined;

/** Parses into an inert fragment: nothing in it is loaded or run, and it holds no script or handler. */
export function fragmentOf(html: string): DocumentFragment {
  if (window.trustedTypes !== undefined) {
    policy ??= window.trustedTypes.createPolicy('trai-diff', { createHTML: (text) => text });
  }
  const template = document.createElement('template');
  // The DOM types know no TrustedHTML yet; where the browser does, the policy's value must be handed over as it is.
  template.innerHTML = (policy === undefined ? html : policy.createHTML(html)) as string;
  return template.content;
}
