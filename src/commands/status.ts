import { resolve } from 'node:path'
import pc from 'picocolors'
import { homeLayout } from '../system/home.ts'
import { findProject } from '../system/project.ts'
import { knownAgents } from '../tools/status/agents.ts'
import type { AgentGuard } from '../tools/status/guarded.ts'
import { collectStatus, type PackStatus, type Status } from '../tools/status/status-facts.ts'
import { fleetTexts } from './fleet/status-text.ts'
import { foldedText, labelled, plural, tilde } from './screen.ts'
import { visible, visibleJson } from './visible.ts'

interface StatusOptions {
  readonly home?: string
  readonly json?: boolean
}

/** One screen: what is guarded here, by which policy, and what is off. Exit code 1 if something is not guarded. */
export async function status(options: StatusOptions): Promise<void> {
  const home = homeLayout(options.home === undefined ? undefined : resolve(options.home), process.env)
  const project = findProject(process.cwd())
  const found = await collectStatus(home, project, await knownAgents(), Date.now())
  process.stdout.write(
    options.json === true ? `${visibleJson(JSON.stringify(found, null, 2))}\n` : screen(found),
  )
  if (!found.ok) process.exitCode = 1
}

/** The facts that `status` and `doctor` begin with. */
export function headlineText({ headline }: Pick<Status, 'headline'>): string {
  return headline
    .map((line) => visible(tilde(line)))
    .map((line) => {
      const [, word = '', rest = ''] = /^([A-Z][A-Za-z ]*?)((?::| until).*)$/s.exec(line) ?? []
      return `${foldedText(`${word === 'Guarded' ? pc.green(word) : pc.red(pc.bold(word))}${rest}`)}\n`
    })
    .join('')
}

function screen(found: Status): string {
  const rows: [string, readonly string[]][] = [
    ['project', [visible(tilde(found.project))]],
    ['agents', agentTexts(found.agents)],
    ['limits', found.limits.flatMap(({ cannotHold, open }) => [...cannotHold, ...open])],
    ['policy', found.files.length === 0 ? ['no file: the defaults apply'] : found.files.map(fileText)],
    ['fleet', found.fleet === undefined ? [] : fleetTexts(found.fleet, Date.now())],
    ['packs', found.packs.map(packText)],
    [
      'more',
      [
        `${plural(found.rules, 'rule')}, ${plural(found.hooks, 'hook')}, ${plural(found.contracts, 'contract')}, ${plural(found.exceptions, 'exception')}`,
      ],
    ],
    ['problems', found.problems.slice(0, PROBLEMS_SHOWN).map((problem) => visible(tilde(problem)))],
  ]
  const body = rows.flatMap(([name, texts]) =>
    texts.map((text, at) => labelled(at === 0 ? pc.dim(name) : '', text)),
  )
  const more = found.problems.length - PROBLEMS_SHOWN
  return [
    headlineText(found).trimEnd(),
    '',
    ...body,
    ...(more > 0 ? [labelled('', `and ${more} more: run \`holdpoint lint\``)] : []),
    '',
  ].join('\n')
}

const PROBLEMS_SHOWN = 5

/** Agents that are not installed are named on one line. */
function agentTexts(agents: readonly AgentGuard[]): readonly string[] {
  const missing = agents.filter((agent) => isAbsent(agent) && agent.notProved !== true)
  return [
    ...agents.filter((agent) => !isAbsent(agent)).map(agentText),
    ...(missing.length === 0
      ? []
      : [pc.dim(`not found on PATH: ${missing.map(({ host }) => host).join(', ')}`)]),
  ]
}

function isAbsent({ found, guarded, because, elsewhere }: AgentGuard): boolean {
  return (
    !found && !guarded && elsewhere.length === 0 && because.every((why) => why.startsWith('it has no hooks'))
  )
}

function agentText(agent: AgentGuard): string {
  const { host, version, guarded, by, because, todo, elsewhere } = agent
  const doubt = agent.notProved === true ? ` (${pc.yellow('not proved')})` : ''
  const name = `${host}${version === undefined ? '' : ` ${version}`}${doubt}`
  if (guarded) {
    const more = todo.length === 0 ? '' : ` To do: ${todo.join(' ')}`
    return `${name} ${pc.green('guarded')} by ${by.map(tilde).join(' and ')}.${more}`
  }
  const other =
    elsewhere.length === 0 ? '' : ` Hooks are in ${elsewhere.map(tilde).join(', ')}, which is not read here.`
  return `${name} ${pc.red('NOT guarded')}: ${because.map(tilde).join(' ')}${other}`
}

function fileText({ layer, file, state }: Status['files'][number]): string {
  const path = visible(tilde(file))
  if (state === 'in force') return `${path} (${layer})`
  return state === 'broken'
    ? `${path} (${layer}) ${pc.red('BROKEN')}: what it last said applies`
    : `${path} (${layer}) ${pc.yellow('not trusted')}: it can only make things stricter. Run \`holdpoint trust\`.`
}

function packText({ pack, on, level, guards, paused, from }: PackStatus): string {
  if (!on) {
    const why = from === undefined ? 'no file switches it on' : `switched off in ${tilde(from)}`
    return `${pack} ${pc.red('OFF')}: ${why}`
  }
  return `${pack} ${level}, ${plural(guards, 'guard')}${paused === true ? ` ${pc.red('PAUSED')}` : ''}`
}
