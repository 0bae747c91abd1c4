import { ownDirectories } from '../../../core/session/dirs.ts';
import { fromText, isWithin } from '../../../shared/bytes.ts';
import { absolutePath, beforeGlob, followed } from '../world/file-paths.ts';
import { type ToolInput, text } from '../world/input.ts';

/** Fields of the file tools' input that hold a path. */
const PATH_FIELDS = ['file_path', 'notebook_path', 'path', 'pattern'] as const;

/**
 * Refuses a file tool in trai's own directories: they hold the hook credential, the overlays and the user's rules.
 * The path is followed through symbolic links, since the tool would follow them too. Null = not refused.
 * A search that begins above (`Grep` in $HOME) is let through: see SECURITY.md.
 */
export function refuseFileTool(stateDir: string, call: ToolInput): string | null {
  const own = ownDirectories(stateDir, process.env).flatMap((dir) => [dir, followed(dir)]);
  for (const field of PATH_FIELDS) {
    const given = text(call.toolInput, field);
    // Grep's pattern is a regular expression, only Glob's is a path.
    if (given === '' || (field === 'pattern' && call.tool !== 'Glob')) continue;
    const asked = absolutePath(field === 'pattern' ? beforeGlob(given) : given, call.cwd);
    for (const candidate of [asked, followed(asked)]) {
      const hit = own.find((dir) => isWithin(fromText(candidate), fromText(dir)));
      if (hit !== undefined)
        return `${hit} holds trai's own state and is not for ${call.tool}. Ask the user instead.`;
    }
  }
  return null;
}
