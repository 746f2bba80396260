import { findProject } from '../system/project.ts'
import { knownAgents, places } from '../tools/status/agents.ts'
import type { AgentGuard } from '../tools/status/guarded.ts'
import { collectStatus, type PackStatus, type Status } from '../tools/status/status-facts.ts'
import { type Caller, homeNamed } from './caller.ts'
import { fleetTexts } from './fleet/status-text.ts'
import { foldedText, labelled, plural, screenWidth, tilde } from './screen.ts'
import { visible, visibleJson } from './visible.ts'

interface StatusOptions {
  readonly home?: string
  readonly json?: boolean
}

/** One screen: what is guarded here, by which policy, and what is off. Exit code 1 if something is not guarded. */
export async function status(caller: Caller, options: StatusOptions): Promise<void> {
  const home = homeNamed(caller, options.home)
  const project = findProject(caller.cwd)
  const found = await collectStatus(
    home,
    places(project, caller.env, caller.cwd),
    await knownAgents(caller.env),
    Date.now(),
  )
  caller.stdout.write(
    options.json === true ? `${visibleJson(JSON.stringify(found, null, 2))}\n` : screen(caller, found),
  )
  if (!found.ok) caller.exitCode = 1
}

/** The facts that `status` and `doctor` begin with. */
export function headlineText(caller: Caller, { headline }: Pick<Status, 'headline'>): string {
  const { green, red, bold } = caller.colours
  return headline
    .map((line) => visible(tilde(caller, line)))
    .map((line) => {
      const [, word = '', rest = ''] = /^([A-Z][A-Za-z ]*?)((?::| until).*)$/s.exec(line) ?? []
      return `${foldedText(`${word === 'Guarded' ? green(word) : red(bold(word))}${rest}`, '', screenWidth(caller.stdout))}\n`
    })
    .join('')
}

function screen(caller: Caller, found: Status): string {
  const rows: [string, readonly string[]][] = [
    ['project', [visible(tilde(caller, found.project))]],
    ['agents', agentTexts(caller, found.agents)],
    ['limits', found.limits.flatMap(({ cannotHold, open }) => [...cannotHold, ...open])],
    [
      'policy',
      found.files.length === 0
        ? ['no file: the defaults apply']
        : found.files.map((file) => fileText(caller, file)),
    ],
    ['fleet', found.fleet === undefined ? [] : fleetTexts(found.fleet, Date.now())],
    ['packs', found.packs.map((pack) => packText(caller, pack))],
    [
      'more',
      [
        `${plural(found.rules, 'rule')}, ${plural(found.hooks, 'hook')}, ${plural(found.contracts, 'contract')}, ${plural(found.exceptions, 'exception')}`,
      ],
    ],
    ['problems', found.problems.slice(0, PROBLEMS_SHOWN).map((problem) => visible(tilde(caller, problem)))],
  ]
  const body = rows.flatMap(([name, texts]) =>
    texts.map((text, at) =>
      labelled(at === 0 ? caller.colours.dim(name) : '', text, screenWidth(caller.stdout)),
    ),
  )
  const more = found.problems.length - PROBLEMS_SHOWN
  return [
    headlineText(caller, found).trimEnd(),
    '',
    ...body,
    ...(more > 0
      ? [labelled('', `and ${more} more: run \`holdpoint lint\``, screenWidth(caller.stdout))]
      : []),
    '',
  ].join('\n')
}

const PROBLEMS_SHOWN = 5

/** Agents that are not installed are named on one line. */
function agentTexts(caller: Caller, agents: readonly AgentGuard[]): readonly string[] {
  const missing = agents.filter((agent) => isAbsent(agent) && agent.notProved !== true)
  return [
    ...agents.filter((agent) => !isAbsent(agent)).map((agent) => agentText(caller, agent)),
    ...(missing.length === 0
      ? []
      : [caller.colours.dim(`not found on PATH: ${missing.map(({ host }) => host).join(', ')}`)]),
  ]
}

function isAbsent({ found, guarded, because, elsewhere }: AgentGuard): boolean {
  return (
    !found && !guarded && elsewhere.length === 0 && because.every((why) => why.startsWith('it has no hooks'))
  )
}

function agentText(caller: Caller, agent: AgentGuard): string {
  const { host, version, guarded, by, because, todo, elsewhere } = agent
  const short = (path: string) => tilde(caller, path)
  const doubt = agent.notProved === true ? ` (${caller.colours.yellow('not proved')})` : ''
  const name = `${host}${version === undefined ? '' : ` ${version}`}${doubt}`
  if (guarded) {
    const more = todo.length === 0 ? '' : ` To do: ${todo.join(' ')}`
    return `${name} ${caller.colours.green('guarded')} by ${by.map(short).join(' and ')}.${more}`
  }
  const other =
    elsewhere.length === 0 ? '' : ` Hooks are in ${elsewhere.map(short).join(', ')}, which is not read here.`
  return `${name} ${caller.colours.red('NOT guarded')}: ${because.map(short).join(' ')}${other}`
}

function fileText(caller: Caller, { layer, file, state }: Status['files'][number]): string {
  const path = visible(tilde(caller, file))
  if (state === 'in force') return `${path} (${layer})`
  return state === 'broken'
    ? `${path} (${layer}) ${caller.colours.red('BROKEN')}: what it last said applies`
    : `${path} (${layer}) ${caller.colours.yellow('not trusted')}: it can only make things stricter. Run \`holdpoint trust\`.`
}

function packText(caller: Caller, { pack, on, level, guards, paused, from }: PackStatus): string {
  if (!on) {
    const why = from === undefined ? 'no file switches it on' : `switched off in ${tilde(caller, from)}`
    return `${pack} ${caller.colours.red('OFF')}: ${why}`
  }
  return `${pack} ${level}, ${plural(guards, 'guard')}${paused === true ? ` ${caller.colours.red('PAUSED')}` : ''}`
}
