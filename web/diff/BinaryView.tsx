/** A binary file: sizes, hashes, the first bytes, and the picture where it is one. */
import { useState } from 'preact/hooks';
import type { BinaryDiff } from '../../shared/model/diff.ts';
import * as format from '../text/format.ts';
import { LinkButton } from '../ui/Button.tsx';
import { Panel, scrolls } from '../ui/Panel.tsx';
import { ImageDiff } from './ImageDiff.tsx';

/** Kinds that a browser draws without running anything; the server looks at the bytes once more. */
const DRAWN = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

export function BinaryView({ diff, session }: { diff: BinaryDiff; session: string }) {
  const isImage = diff.mime !== null && DRAWN.includes(diff.mime);
  const facts = <BinaryFacts diff={diff} />;
  if (!isImage) return facts;
  return (
    <ImageDiff key={`${diff.id} ${diff.etag}`} diff={diff} session={session}>
      {facts}
    </ImageDiff>
  );
}

function BinaryFacts({ diff }: { diff: BinaryDiff }) {
  return (
    <Panel title={diff.mime === null ? 'Binary file' : `Binary file (${diff.mime})`} wide>
      <table class="facts">
        <thead>
          <tr>
            <th scope="col">Side</th>
            <th scope="col">Size</th>
            <th scope="col">SHA-256</th>
          </tr>
        </thead>
        <tbody>
          <BinarySide name="On the host" bytes={diff.oldBytes} sha256={diff.oldSha256} />
          <BinarySide name="Pending" bytes={diff.newBytes} sha256={diff.newSha256} />
        </tbody>
      </table>
      <Bytes diff={diff} />
    </Panel>
  );
}

function BinarySide({ name, bytes, sha256 }: { name: string; bytes: number | null; sha256: string | null }) {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>{bytes === null ? 'not there' : `${format.count(bytes)} bytes`}</td>
      <td class="mono hash">{sha256 ?? '–'}</td>
    </tr>
  );
}

function Bytes({ diff }: { diff: BinaryDiff }) {
  const [open, setOpen] = useState(false);
  if (diff.oldHead === '' && diff.newHead === '') return null;
  return (
    <>
      <LinkButton aria-expanded={open} onClick={() => setOpen(!open)}>
        {open ? 'Hide the first bytes' : 'Show the first bytes'}
      </LinkButton>
      {open ? (
        <>
          <Hex name="On the host" hex={diff.oldHead} />
          <Hex name="Pending" hex={diff.newHead} />
        </>
      ) : null}
    </>
  );
}

function Hex({ name, hex }: { name: string; hex: string }) {
  if (hex === '') return null;
  return (
    <figure>
      <figcaption>
        {name}, first {format.plural(hex.length / 2, 'byte')}
      </figcaption>
      <pre class="excerpt hex" {...scrolls}>
        {hexRows(hex).join('\n')}
      </pre>
    </figure>
  );
}

/** Bytes a row. */
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
