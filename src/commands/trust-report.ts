import { describeProblem } from '../core/errors.ts'
import type { HandlerSpec, Matcher } from '../core/hook.ts'
import type { Layer } from '../core/layer.ts'
import { ruleRunOf } from '../core/rule.ts'
import { handlerKind, namesCode } from '../handlers/kind-of.ts'
import { contractRunOf } from '../policy/completion/contract.ts'
import { MISSING, UNFIT } from '../system/trust.ts'
import type { Colours } from './caller.ts'
import { lineDiff } from './line-diff.ts'
import type { Survey, SurveyedConfig, SurveyedFile, SurveyedHook } from './trust-survey.ts'
import { visible } from './visible.ts'

/** What was trusted before: the pin of a path, and the content behind a pin if it was kept. */
export interface Earlier {
  pin(path: string): string | undefined
  content(pin: string): Buffer | undefined
}

/** What it would mean to trust this, in lines for people. Control characters in files are escaped. */
export function reportLines(colours: Colours, survey: Survey, earlier: Earlier): readonly string[] {
  const shown = new Set<string>()
  const lines = survey.configs.flatMap((config) => configLines(colours, config, survey, earlier, shown))
  const rest = survey.broken.map((problem) => `${colours.red('broken')} ${visible(problem)}`)
  const forbidden = survey.codeForbidden
    ? [colours.yellow('Managed policy forbids project code: the programs, modules and URLs here never run.')]
    : []
  return [...lines, ...rest, ...forbidden]
}

/** In one word: how a file compares with what was trusted. */
function standing(path: string, file: SurveyedFile, earlier: Earlier): 'new' | 'changed' | 'same' {
  const pin = earlier.pin(path)
  if (pin === undefined) return 'new'
  return pin === file.pin ? 'same' : 'changed'
}

function configLines(
  colours: Colours,
  config: SurveyedConfig,
  survey: Survey,
  earlier: Earlier,
  shown: Set<string>,
): readonly string[] {
  const { path, layer, imported, hooks } = config
  return [
    `${colours.bold(visible(path))}${imported ? ' (imported)' : ''}${mark(colours, path, survey, earlier)}`,
    ...diffLines(colours, path, survey, earlier, shown),
    ...hooks.flatMap((hook) => hookLines(colours, hook, survey, earlier, shown)),
    ...(hooks.some(({ entry }) => namesCode(entry.run)) || runsTests(layer) ? [] : ['  runs no programs']),
    ...alsoSays(layer),
    ...layer.problems.map((problem) => `  ${colours.yellow('wrong:')} ${visible(describeProblem(problem))}`),
  ]
}

function mark(colours: Colours, path: string, survey: Survey, earlier: Earlier): string {
  const file = survey.files.get(path)
  if (file === undefined) return ''
  const word = standing(path, file, earlier)
  const link = file.linkTo === undefined ? '' : ` -> ${visible(file.linkTo)}`
  if (file.pin === UNFIT)
    return `${link}${colours.yellow(' (cannot be trusted: not a readable file of at most 8 MiB)')}`
  const missing = file.content === undefined ? ' (does not exist; you are asked again when it does)' : ''
  const state =
    word === 'same'
      ? colours.dim(' (unchanged since you trusted it)')
      : word === 'changed'
        ? colours.yellow(' (CHANGED)')
        : ' (new)'
  return `${link}${missing === '' ? state : missing}`
}

/**
 * A rule runs nothing, and neither does a contract without commands. For them, the report says what trust
 * changes.
 */
function hookLines(
  colours: Colours,
  { entry, files, unclear, forbidden }: SurveyedHook,
  survey: Survey,
  earlier: Earlier,
  shown: Set<string>,
): readonly string[] {
  const { run } = entry
  if (!namesCode(run)) return []
  const name = entry.id === undefined ? '' : ` [${visible(entry.id)}]`
  const match = matchText(entry.match)
  const when =
    handlerKind(run).section === 'packs'
      ? `pack ${visible(String(run.pack))}`
      : `at ${entry.on.join(', ')}${match}`
  const head = `  ${when} ${handlerKind(run).verb}: ${shownCommand(run)}${name}`
  if (forbidden) return [head, `    ${colours.yellow('never runs: managed policy forbids project code')}`]
  const never = 'because Holdpoint cannot tell what it starts; write it in a simpler way'
  return [
    head,
    ...(handlerKind(run).warns?.(run) ?? []).map((line) => `    ${visible(line)}`),
    ...(files === undefined ? [`    never runs, ${never}`] : []),
    ...unclear.map((command) => `    never runs \`${visible(command)}\`, ${never}`),
    ...filesToShow(files ?? [], survey, earlier).flatMap((path) => [
      `    file: ${visible(path)}${mark(colours, path, survey, earlier)}`,
      ...diffLines(colours, path, survey, earlier, shown),
    ]),
    `    may: ${rightsOf(colours, entry.grants === true, entry.rewrites === true)}`,
  ]
}

/**
 * If none of the files a module might load exists, one line is enough; listing all would hide the existing
 * ones.
 */
function filesToShow(files: readonly string[], survey: Survey, earlier: Earlier): readonly string[] {
  const there = files.filter(
    (path) =>
      (survey.files.get(path)?.pin ?? MISSING) !== MISSING || (earlier.pin(path) ?? MISSING) !== MISSING,
  )
  return there.length === 0 ? files.slice(0, 1) : there
}

/** The commands of a contract are several lines; a line break in any other command is shown as what it is. */
function shownCommand(run: HandlerSpec): string {
  return handlerKind(run)
    .describe(run)
    .map((line) => visible(line, COMMAND_MAX))
    .join('; ')
}

function rightsOf(colours: Colours, grants: boolean, rewrites: boolean): string {
  const change = rewrites
    ? 'change calls before other hooks see them'
    : 'change calls (other hooks check them again)'
  const grant = grants ? [colours.yellow('GRANT PERMISSIONS without asking you')] : []
  return ['stop calls', 'ask you', 'add context', change, ...grant].join('; ')
}

function matchText(match: Matcher): string {
  const texts = Object.entries(match).flatMap(([key, pattern]) => {
    if (pattern === undefined || typeof pattern === 'string') return []
    const text =
      pattern.kind === 'names'
        ? pattern.names.join('|')
        : pattern.kind === 'glob'
          ? pattern.globs.join('|')
          : pattern.kind === 'regex'
            ? `/${pattern.source}/`
            : 'nothing'
    return [key === 'subject' ? text : `${key} ${text}`]
  })
  return texts.length === 0 ? '' : ` (${visible(texts.join(', '))})`
}

/** A command padded with spaces must not hide its end. */
const COMMAND_MAX = 20_000

/** A pack that runs programs, and the options that name them. */
const RUNNING = 'collective'
const PROGRAMS: readonly string[] = ['dependencies', 'test', 'build']

function isRunning({ pack, off }: Layer['packs'][number]): boolean {
  return pack === RUNNING && off !== true
}

function runsTests({ packs }: Layer): boolean {
  return packs.some(isRunning)
}

/** What else takes effect when the file is trusted. */
function alsoSays({ packs, hooks, settings, imports = [] }: Layer): readonly string[] {
  const rules = hooks.filter(({ run }) => ruleRunOf(run) !== undefined).length
  const contracts = hooks.filter(({ run }) => contractRunOf(run)?.part === 'judge').length
  const on = packs.filter(({ off }) => off !== true).map(({ pack }) => pack)
  return [
    ...(rules === 0 ? [] : [`  rules: ${rules}; if trusted, they may also add context and change calls`]),
    ...(contracts === 0
      ? []
      : [`  contracts: ${contracts}; if trusted, they may also give instructions to agents`]),
    ...(packs.length === 0 ? [] : [`  packs: ${visible(on.join(', ') || 'none')}`]),
    ...packs.filter(isRunning).map(({ pack, options }) => {
      const set = PROGRAMS.flatMap((key) =>
        typeof options[key] === 'string' ? [`${key}: ${options[key]}`] : [],
      )
      const found = 'the tests and the build that it finds in the project'
      return `  pack ${pack} runs: ${visible(set.length === 0 ? found : `${set.join('; ')}; otherwise ${found}`, COMMAND_MAX)}`
    }),
    ...(Object.keys(settings).length === 0 ? [] : [`  settings: ${visible(JSON.stringify(settings))}`]),
    ...imports.map(
      ({ source, file }) => `  imports: ${visible(file === undefined ? source : `${source} ${file}`)}`,
    ),
  ]
}

const LINES_MAX = 60
const LINE_MAX = 400
const TEXT_MAX_BYTES = 256 * 1024

/** What changed since the file was trusted, printed once for each file. */
function diffLines(
  colours: Colours,
  path: string,
  survey: Survey,
  earlier: Earlier,
  shown: Set<string>,
): readonly string[] {
  const file = survey.files.get(path)
  if (file === undefined || shown.has(path)) return []
  shown.add(path)
  const pin = earlier.pin(path)
  if (pin === undefined || pin === file.pin) return []
  const note = (text: string) => [`      ${colours.dim(text)}`]
  if (pin === MISSING) return note('the file did not exist when it was trusted')
  const before = earlier.content(pin)
  if (file.content === undefined)
    return note(
      file.pin === UNFIT ? 'it was a plain file when it was trusted' : 'the file existed when it was trusted',
    )
  if (before === undefined) return note('its trusted content was not kept')
  if (!isText(before) || !isText(file.content)) return note('not a text file; the contents differ')
  const all = lineDiff(before.toString('utf8'), file.content.toString('utf8'))
  const lines = all.slice(0, LINES_MAX).map(({ kind, text }) => {
    if (kind === 'gap') return `      ${colours.dim('...')}`
    const line = visible(text, LINE_MAX)
    if (kind === 'same') return `        ${line}`
    return kind === 'added' ? `      ${colours.green(`+ ${line}`)}` : `      ${colours.red(`- ${line}`)}`
  })
  return all.length > LINES_MAX ? [...lines, ...note(`${all.length - LINES_MAX} more lines differ`)] : lines
}

function isText(content: Buffer): boolean {
  return content.length <= TEXT_MAX_BYTES && !content.includes(0)
}
