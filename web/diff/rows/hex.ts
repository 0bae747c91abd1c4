/** Bytes as a user reads them: sixteen a row, with their place and what is ASCII of them. */
const ROW = 16;

/** Rows of a text of two hex digits a byte; nothing but printable ASCII comes out. */
export function hexRows(hex: string): string[] {
  const rows: string[] = [];
  for (let at = 0; at * 2 < hex.length; at += ROW) {
    const bytes = hex.slice(at * 2, (at + ROW) * 2).match(/[0-9a-f]{2}/g) ?? [];
    const ascii = bytes.map((byte) => {
      const code = Number.parseInt(byte, 16);
      return code >= 0x20 && code < 0x7f ? String.fromCharCode(code) : '.';
    });
    const columns = bytes.join(' ').padEnd(ROW * 3 - 1);
    rows.push(`${at.toString(16).padStart(6, '0')}  ${columns}  ${ascii.join('')}`);
  }
  return rows;
}
