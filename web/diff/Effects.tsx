/** What effect rules say of entries: chips above the tree, badges in its rows, notes above a diff. */
import type { Change } from '../../shared/model/change.ts';
import type { Effect, NamedEffect } from '../../shared/model/rule.ts';
import { EFFECTS } from '../messages/changes.ts';
import { type SessionState, useSession } from '../state/session.ts';
import * as format from '../text/format.ts';
import { visibleText } from '../text/visible.ts';
import { Badge, type BadgeTone } from '../ui/Badge.tsx';
import { Icon, type IconName } from '../ui/Icon.tsx';

export const EFFECT_ICONS: Record<Effect['do'], IconName> = {
  never: 'off',
  confirm: 'checked',
  flag: 'flag',
  auto: 'into',
};

const TONES: Record<Effect['do'], BadgeTone> = {
  never: 'neutral',
  confirm: 'warning',
  flag: 'replaced',
  auto: 'accent',
};

const NONE: readonly NamedEffect[] = [];

export function effectsOn({ effects }: SessionState, { id }: Change): readonly NamedEffect[] {
  return effects.byEntry.value.get(id) ?? NONE;
}

/** `to be confirmed: effects[1] of FILE: migrations` */
export function effectWords(effect: NamedEffect): string {
  return `${EFFECTS[effect.do].word}: ${visibleText(effect.text)}`;
}

/** Without `flag`, which shares the sign of risks. */
export function RowEffects({ change }: { change: Change }) {
  const shown = effectsOn(useSession(), change).filter(({ do: does }) => does !== 'flag');
  return (
    <>
      {shown.map((effect) => (
        <Badge key={effect.do} tone={TONES[effect.do]} title={effectWords(effect)}>
          <span aria-hidden="true">{EFFECTS[effect.do].badge}</span>
          <span class="sr-only">{effectWords(effect)}</span>
        </Badge>
      ))}
    </>
  );
}

export function EffectNotes({ change }: { change: Change }) {
  const effects = effectsOn(useSession(), change);
  if (effects.length === 0) return null;
  return (
    <ul class="diff-risks plain" aria-label="Rules about it">
      {effects.map((effect) => (
        <li key={effect.do} class={`lines tone-${TONES[effect.do]}`}>
          <Icon name={EFFECT_ICONS[effect.do]} />
          <span class="path">
            {format.capital(effectWords(effect))}. {EFFECTS[effect.do].why}
          </span>
        </li>
      ))}
    </ul>
  );
}
