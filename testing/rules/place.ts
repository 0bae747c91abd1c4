/** A home, a project and a state directory for tests of rule files. */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { loadRules, type RuleSet, type RulesRequest } from '../../core/rules/files/rule-set.ts';
import { projectOf } from '../../core/session/project.ts';
import { fromText } from '../../shared/bytes.ts';
import { DEFAULT_CONFIG } from '../../shared/config/config.ts';
import { removeTree } from '../remove-tree.ts';

export class RulesPlace {
  /** With a name that is not ASCII, as a user's may be. */
  readonly base = realpathSync(mkdtempSync(join(tmpdir(), 'trai-règles-')));
  readonly project = join(this.base, 'project');
  readonly stateDir = join(this.base, 'state');
  readonly user = join(this.base, 'config/trai/rules.json');
  readonly userImported = join(this.base, 'config/trai/rules.imported.json');
  readonly own = join(this.project, '.claude/trai.rules.json');
  readonly session = join(this.stateDir, 'sessions/s/rules.json');

  constructor() {
    mkdirSync(this.project);
  }

  request(changed: Partial<RulesRequest> = {}): RulesRequest {
    const env = { HOME: this.base, XDG_CONFIG_HOME: join(this.base, 'config') };
    const project = projectOf(fromText(this.project));
    const about = {
      env,
      stateDir: this.stateDir,
      project,
      session: 's',
      home: this.base,
      config: DEFAULT_CONFIG,
    };
    return { ...about, ...changed };
  }

  load(): RuleSet {
    return loadRules(this.request());
  }

  put(file: string, content: unknown): void {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  }

  read(file: string): unknown {
    return JSON.parse(readFileSync(file, 'utf8'));
  }

  remove(): void {
    removeTree(this.base);
    rmSync(this.base, { recursive: true, force: true });
  }
}
