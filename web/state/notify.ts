/** The browser's notifications, where the user has allowed them. */

export type Permission = 'granted' | 'denied' | 'default' | 'unsupported';

export function notifyPermission(): Permission {
  return 'Notification' in window ? Notification.permission : 'unsupported';
}

/** Call it from a click: browsers ignore it otherwise. */
export async function askPermission(): Promise<Permission> {
  return 'Notification' in window ? await Notification.requestPermission() : 'unsupported';
}

/** A later notification with the same `tag` replaces the earlier one, across tabs. */
export function notify(title: string, text: string, tag: string, onClick: () => void): void {
  if (notifyPermission() !== 'granted') return;
  const shown = new Notification(title, { body: text, tag, icon: new URL('icon.svg', location.href).href });
  shown.addEventListener('click', () => {
    window.focus();
    onClick();
    shown.close();
  });
}
