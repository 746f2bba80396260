import type { Event } from '../../../core/event.ts'
import type { Facts } from '../../../core/facts.ts'
import type { EventExample, Guard, GuardMatch } from '../../../core/guard.ts'
import { isAct } from '../../../shell/vocabulary/effect.ts'
import { isInside } from '../../../shell/words/paths.ts'
import { exactForm } from '../../../shell/words/words.ts'
import { caughtChange, changedPaths, type PathChange } from '../../analysis/changed-paths.ts'
import { caughtEffect, shellEffects } from '../../analysis/effects-of.ts'
import { shellOf } from '../../analysis/shell-of.ts'
import { strongest } from '../strongest.ts'

/** While the status file of the session says so, nothing is written except that file. */
export const dryRun: Guard = {
  id: 'production/dry-run',
  title: 'Writing during a dry run',
  why: 'The session was asked to show what it would do, not to do it.',
  instead:
    'describe the change. The user sets `dry_run: false` in the status file of the session to allow it.',
  on: ['PreToolUse'],
  match: '*',
  modes: { standard: 'deny', strict: 'deny', paranoid: 'deny' },
  // A status file that cannot be read must not stop the work.
  onFailure: 'pass',
  examples: {
    stops: [
      call('Write', { file_path: 'src/a.ts', content: 'x' }),
      call('Edit', { file_path: '/srv/project/src/a.ts', old_string: 'a', new_string: 'b' }),
      call('MultiEdit', { file_path: 'src/a.ts', edits: [] }),
      call('NotebookEdit', { notebook_path: 'a.ipynb', new_source: '' }),
      call('apply_patch', { command: '*** Begin Patch\n*** Add File: a.ts\n+x\n*** End Patch' }),
      call('mcp__filesystem__write_file', { path: 'a.txt', content: 'x' }),
      shell('echo x > a.txt'),
      shell('sed -i s/a/b/ src/a.ts'),
      shell('rm -rf build'),
      shell('mkdir -p out'),
      shell('bash -c "touch a"'),
      shell('cat a | tee b'),
      shell('git reset --hard'),
      shell(`python3 -c "open('a.txt', 'w').write('x')"`),
      shell('echo dry_run: false > src/status.yml'),
      shell('echo x > a.txt', { '/srv/project/outputs/session/shared/status.yml': 'dry_run: true\n' }),
      shell('echo x > a.txt', {
        '/srv/project/outputs/session/session-1/status.yml': 'name: x\ndry_run: "true" # for now\n',
        '/srv/project/outputs/session/shared/status.yml': 'dry_run: false\n',
      }),
    ],
    passes: [
      call('Read', { file_path: 'src/a.ts' }),
      call('Write', { file_path: 'outputs/session/session-1/status.yml', content: 'dry_run: false' }),
      call('mcp__filesystem__read_file', { path: 'a.txt' }),
      shell('ls -la 2>/dev/null'),
      shell('npm test > /dev/null 2>&1'),
      shell('grep -rn x src | head'),
      shell('git status'),
      shell('git log --oneline > /dev/stderr'),
      shell('echo "dry_run: false" > outputs/session/session-1/status.yml'),
      shell("sed -i 's/true/false/' /srv/project/outputs/session/session-1/status.yml"),
      shell(`python3 -c "print(open('a.txt').read())"`),
      shell('echo x > a.txt', {}),
      shell('echo x > a.txt', { '/srv/project/outputs/session/session-1/status.yml': 'dry_run: false\n' }),
      shell('echo x > a.txt', { '/srv/project/outputs/session/session-1/status.yml': '# dry_run: true\n' }),
      shell('echo x > a.txt', {
        '/srv/project/outputs/session/session-1/status.yml': 'dry_run: false\n',
        '/srv/project/outputs/session/shared/status.yml': 'dry_run: true\n',
      }),
      shell('echo x > a.txt', { '/srv/project/outputs/session/session-2/status.yml': 'dry_run: true\n' }),
    ],
  },
  async check({ event, facts }) {
    const caught = wouldWrite(event, facts)
    return caught !== null && (await isDryRun(event, facts)) ? caught : null
  },
}

/**
 * Where the status of a session is stored: by its id, by the process of the agent, otherwise for the whole project.
 */
function statusFiles(event: Event, facts: Facts): readonly string[] {
  const names = [event.session, facts.env.CLAUDE_PID ?? '', 'shared'].filter((name) => NAME.test(name))
  return names.map((name) => `${facts.project}/outputs/session/${name}/status.yml`)
}

/** A single name, not a path that goes up. */
const NAME = /^(?!\.+$)[\w.-]{1,200}$/

/** The first existing file counts. */
async function isDryRun(event: Event, facts: Facts): Promise<boolean> {
  for (const file of statusFiles(event, facts)) {
    const text = await facts.readText(file)
    if (text !== undefined) return DRY_RUN.test(text)
  }
  return false
}

const DRY_RUN = /^\s{0,20}["']?dry_run["']?[ \t]*:[ \t]*["']?(?:true|yes|on)["']?[ \t]*(?:#.*)?$/im

function wouldWrite(event: Event, facts: Facts): GuardMatch | null {
  const status = new Set(statusFiles(event, facts))
  const changes = changedPaths(event, facts).filter(
    (change) => change.guessed !== true && !isFree(change, status),
  )
  const [first] = changes
  if (first !== undefined) return caughtChange(first, `${first.does} ${first.source}`)
  const acts = shellEffects(event, facts).filter(({ effect }) => isAct(effect) && effect.kind !== 'privilege')
  const act = strongest(acts, (found) => {
    return isAct(found.effect) ? caughtEffect(found, found.effect.what, facts.home) : null
  })
  return act ?? madeFolder(event, facts)
}

/** The status file itself, and targets that are not files. */
function isFree({ path }: PathChange, status: ReadonlySet<string>): boolean {
  const names = path.parts.map(exactForm)
  if (!path.anchored || names.includes(undefined)) return false
  const written = `/${names.join('/')}`
  return status.has(written) || isInside(written, '/dev')
}

const MAKERS = new Set(['mkdir', 'mkfifo', 'mknod'])

function madeFolder(event: Event, facts: Facts): GuardMatch | null {
  const analysis = shellOf(event, facts)
  const made = analysis.judged ? analysis.commands.find(({ name }) => MAKERS.has(name ?? '')) : undefined
  return made === undefined ? null : { caught: 'creates a folder', fragment: made.fragment }
}

function call(
  name: string,
  input: Record<string, string | readonly string[]>,
  files: Readonly<Record<string, string>> = {
    '/srv/project/outputs/session/session-1/status.yml': 'dry_run: true\n',
  },
): EventExample {
  return { kind: 'PreToolUse', fields: { tool: { name, input } }, files }
}

function shell(command: string, files?: Readonly<Record<string, string>>): EventExample {
  return call('Bash', { command }, files)
}
