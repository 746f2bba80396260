import pc from 'picocolors'
import type { Layer } from '../config.ts'
import { describeProblem } from '../errors.ts'
import type { Match, Run } from '../hook.ts'
import { isObject, textAt } from '../json.ts'
import { namesCode } from '../plan.ts'
import { MISSING, UNFIT } from '../world/trust.ts'
import { lineDiff } from './line-diff.ts'
import type { Survey, SurveyedConfig, SurveyedFile, SurveyedHook } from './trust-survey.ts'
import { visible } from './visible.ts'

/** What was vouched for before: the pin of a path, and the content a pin stood for where it was kept. */
export interface Earlier {
  pin(path: string): string | undefined
  content(pin: string): Buffer | undefined
}

/** What trusting this would mean, in lines for a person. Nothing a file says can move their cursor. */
export function reportLines(survey: Survey, earlier: Earlier): readonly string[] {
  const shown = new Set<string>()
  const lines = survey.configs.flatMap((config) => configLines(config, survey, earlier, shown))
  const rest = survey.broken.map((problem) => `${pc.red('broken')} ${visible(problem)}`)
  const forbidden = survey.codeForbidden
    ? [
        pc.yellow(
          'Managed policy forbids code of projects: the programs, modules and addresses here never run.',
        ),
      ]
    : []
  return [...lines, ...rest, ...forbidden]
}

/** How a file stands to what was trusted: one word. */
function standing(path: string, file: SurveyedFile, earlier: Earlier): 'new' | 'changed' | 'same' {
  const pin = earlier.pin(path)
  if (pin === undefined) return 'new'
  return pin === file.pin ? 'same' : 'changed'
}

function configLines(
  config: SurveyedConfig,
  survey: Survey,
  earlier: Earlier,
  shown: Set<string>,
): readonly string[] {
  const { path, layer, imported, hooks } = config
  return [
    `${pc.bold(visible(path))}${imported ? ' (imported)' : ''}${mark(path, survey, earlier)}`,
    ...diffLines(path, survey, earlier, shown),
    ...hooks.flatMap((hook) => hookLines(hook, survey, earlier, shown)),
    ...(hooks.some(({ entry }) => namesCode(entry.run)) || runsTests(layer) ? [] : ['  runs no programs']),
    ...alsoSays(layer),
    ...layer.problems.map((problem) => `  ${pc.yellow('wrong:')} ${visible(describeProblem(problem))}`),
  ]
}

function mark(path: string, survey: Survey, earlier: Earlier): string {
  const file = survey.files.get(path)
  if (file === undefined) return ''
  const word = standing(path, file, earlier)
  const link = file.linkTo === undefined ? '' : ` -> ${visible(file.linkTo)}`
  if (file.pin === UNFIT)
    return `${link}${pc.yellow(' (cannot be trusted: no readable file of at most 8 MiB)')}`
  const missing = file.content === undefined ? ' (not there; asks again when it is)' : ''
  const state =
    word === 'same' ? pc.dim(' (as trusted)') : word === 'changed' ? pc.yellow(' (CHANGED)') : ' (new)'
  return `${link}${missing === '' ? state : missing}`
}

/** A rule runs nothing, nor does a contract without commands; they are told by what trust changes for them. */
function hookLines(
  { entry, files, forbidden }: SurveyedHook,
  survey: Survey,
  earlier: Earlier,
  shown: Set<string>,
): readonly string[] {
  const { run } = entry
  if (!namesCode(run)) return []
  const name = entry.id === undefined ? '' : ` [${visible(entry.id)}]`
  const match = matchText(entry.match)
  const head = `  at ${entry.on.join(', ')}${match} ${run.type === 'http' ? 'asks' : 'runs'}: ${visible(whatRuns(run), COMMAND_MAX)}${name}`
  if (forbidden) return [head, `    ${pc.yellow('never runs: managed policy forbids code of projects')}`]
  const unclear = '    cannot be read, so it will not run; write it more simply'
  return [
    head,
    ...addressLines(run),
    ...(files === undefined ? [unclear] : []),
    ...filesToShow(files ?? [], survey, earlier).flatMap((path) => [
      `    file: ${visible(path)}${mark(path, survey, earlier)}`,
      ...diffLines(path, survey, earlier, shown),
    ]),
    `    may: ${rightsOf(entry.grants === true, entry.rewrites === true)}`,
  ]
}

/** Files a module might take and that are not there would drown those that are: one is enough, where all are missing. */
function filesToShow(files: readonly string[], survey: Survey, earlier: Earlier): readonly string[] {
  const there = files.filter(
    (path) =>
      (survey.files.get(path)?.pin ?? MISSING) !== MISSING || (earlier.pin(path) ?? MISSING) !== MISSING,
  )
  return there.length === 0 ? files.slice(0, 1) : there
}

function whatRuns(run: Run): string {
  const args = Array.isArray(run.args) ? run.args.map((arg) => JSON.stringify(arg)) : []
  const module = textAt(run, 'module')
  const name = textAt(run, 'export')
  const named = module === undefined || name === undefined ? module : `${module} (${name})`
  const what = textAt(run, 'url') ?? textAt(run, 'command') ?? named ?? textAt(run, 'python') ?? run.type
  return [what, ...args].join(' ')
}

function addressLines(run: Run): readonly string[] {
  if (run.type !== 'http') return []
  const names = isObject(run.headers) ? Object.keys(run.headers) : []
  const variables = Array.isArray(run.allowedEnvVars) ? run.allowedEnvVars.map(String) : []
  return [
    '    sends: the whole event (commands, file contents, prompts)',
    ...(names.length === 0 ? [] : [`    headers: ${visible(names.join(', '))}`]),
    ...(variables.length === 0 ? [] : [`    of your environment: ${visible(variables.join(', '))}`]),
    ...(run.insecure === true ? [`    ${pc.yellow('over plain http')}`] : []),
  ]
}

function rightsOf(grants: boolean, rewrites: boolean): string {
  const change = rewrites ? 'change calls before others judge them' : 'change calls (others judge again)'
  const grant = grants ? [pc.yellow('GRANT PERMISSIONS without asking you')] : []
  return ['stop calls', 'ask you', 'add context', change, ...grant].join('; ')
}

function matchText(match: Match): string {
  const texts = Object.entries(match).flatMap(([key, pattern]) => {
    if (pattern === undefined || typeof pattern === 'string') return []
    const text =
      pattern.is === 'names'
        ? pattern.names.join('|')
        : pattern.is === 'glob'
          ? pattern.globs.join('|')
          : pattern.is === 'regex'
            ? `/${pattern.source}/`
            : 'nothing'
    return [key === 'subject' ? text : `${key} ${text}`]
  })
  return texts.length === 0 ? '' : ` (${visible(texts.join(', '))})`
}

/** A command padded with blanks must not hide its end. */
const COMMAND_MAX = 20_000

const DEFAULTS: readonly string[] = ['safety', 'secrets']

/** A pack that runs programs, and its options that name them. */
const RUNNING = 'collective'
const PROGRAMS: readonly string[] = ['dependencies', 'test', 'build']

function isRunning({ pack, off }: Layer['packs'][number]): boolean {
  return pack === RUNNING && off !== true
}

function runsTests({ packs }: Layer): boolean {
  return packs.some(isRunning)
}

/** What else begins to count with the trust. */
function alsoSays({ packs, hooks, settings, imports = [] }: Layer): readonly string[] {
  const rules = hooks.filter(({ run }) => run.type === 'rule').length
  const contracts = hooks.filter(({ run }) => run.type === 'contract' && run.part === 'judge').length
  const on = packs.filter(({ off }) => off !== true).map(({ pack }) => pack)
  const lost = packs.length === 0 ? [] : DEFAULTS.filter((pack) => !on.includes(pack))
  return [
    ...(rules === 0 ? [] : [`  rules: ${rules}; trusted, they may also add context and change calls`]),
    ...(contracts === 0
      ? []
      : [`  contracts: ${contracts}; trusted, they may also tell agents what is asked of them`]),
    ...(packs.length === 0 ? [] : [`  packs: ${visible(on.join(', ') || 'none')}`]),
    ...packs.filter(isRunning).map(({ pack, options }) => {
      const set = PROGRAMS.flatMap((key) =>
        typeof options[key] === 'string' ? [`${key}: ${options[key]}`] : [],
      )
      const found = 'the tests and the build it finds in the project'
      return `  pack ${pack} runs: ${visible(set.length === 0 ? found : `${set.join('; ')}; else ${found}`, COMMAND_MAX)}`
    }),
    ...(lost.length === 0
      ? []
      : [
          pc.yellow(
            `  without packs that are on by default, unless your own file names them: ${lost.join(', ')}`,
          ),
        ]),
    ...(Object.keys(settings).length === 0 ? [] : [`  settings: ${visible(JSON.stringify(settings))}`]),
    ...imports.map(
      ({ source, file }) => `  imports: ${visible(file === undefined ? source : `${source} ${file}`)}`,
    ),
  ]
}

const LINES_MAX = 60
const LINE_MAX = 400
const TEXT_MAX_BYTES = 256 * 1024

/** What changed since it was trusted, once a file. */
function diffLines(path: string, survey: Survey, earlier: Earlier, shown: Set<string>): readonly string[] {
  const file = survey.files.get(path)
  if (file === undefined || shown.has(path)) return []
  shown.add(path)
  const pin = earlier.pin(path)
  if (pin === undefined || pin === file.pin) return []
  const note = (text: string) => [`      ${pc.dim(text)}`]
  if (pin === MISSING) return note('it was not there when it was trusted')
  const before = earlier.content(pin)
  if (file.content === undefined)
    return note(
      file.pin === UNFIT ? 'it was a plain file when it was trusted' : 'it was there when it was trusted',
    )
  if (before === undefined) return note('what it said when it was trusted was not kept')
  if (!isText(before) || !isText(file.content)) return note('not a text; the contents differ')
  const all = lineDiff(before.toString('utf8'), file.content.toString('utf8'))
  const lines = all.slice(0, LINES_MAX).map(({ kind, text }) => {
    if (kind === 'gap') return `      ${pc.dim('...')}`
    const line = visible(text, LINE_MAX)
    if (kind === 'same') return `        ${line}`
    return kind === 'added' ? `      ${pc.green(`+ ${line}`)}` : `      ${pc.red(`- ${line}`)}`
  })
  return all.length > LINES_MAX ? [...lines, ...note(`${all.length - LINES_MAX} more lines differ`)] : lines
}

function isText(content: Buffer): boolean {
  return content.length <= TEXT_MAX_BYTES && !content.includes(0)
}
