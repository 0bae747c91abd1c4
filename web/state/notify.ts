/** The browser's own notifications: asked for on a click only, and shown only where they were allowed. */

export type Permission = 'granted' | 'denied' | 'default' | 'unsupported';

export function notifyPermission(): Permission {
  return 'Notification' in window ? Notification.permission : 'unsupported';
}

/** Asks the user; call it from a click, browsers ignore it otherwise. */
export async function askPermission(): Promise<Permission> {
  return 'Notification' in window ? await Notification.requestPermission() : 'unsupported';
}

/** Several tabs show one: a later notification with the same tag takes the place of the one before. */
export function notify(title: string, text: string, tag: string, onClick: () => void): void {
  if (notifyPermission() !== 'granted') return;
  const shown = new Notification(title, { body: text, tag, icon: new URL('icon.svg', location.href).href });
  shown.addEventListener('click', () => {
    window.focus();
    onClick();
    shown.close();
  });
}
