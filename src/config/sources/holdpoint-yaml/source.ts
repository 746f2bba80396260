import { bad, good, type Problem, type Result } from '../../../core/errors.ts'
import { isObject, type Json, type JsonObject } from '../../../core/json.ts'
import type { HookEntry, Layer } from '../../../core/layer.ts'
import { suggest } from '../../../core/suggest.ts'
import { locate } from '../locate.ts'
import { matcherReader } from '../matcher.ts'
import { parseYaml } from '../parse-yaml.ts'
import { didYouMean, nameValue, printable, problemsOf } from '../problems.ts'
import type { Source, SourceFile } from '../source.ts'
import { toJson, type YamlJson } from '../to-json.ts'
import { readContracts } from './contracts.ts'
import { readExtends } from './extends.ts'
import { countHooks, holdEvents, readHooks } from './hooks.ts'
import { readImports } from './imports.ts'
import { jsonSchemaWith } from './pack-names.ts'
import { readPacks } from './packs.ts'
import type { YamlReader } from './reading.ts'
import { countRules, holdRules, readRules } from './rules.ts'
import { configSchema } from './schema.ts'
import { readSettingsBlock } from './settings.ts'
import { withPacks } from './with-packs.ts'

/**
 * Holdpoint's own configuration file. Wrong entries are reported one by one; rules and hooks among them still stop
 * calls. A file that cannot be read as a whole (not YAML, another version, too large) is rejected. Trust is applied
 * later, by the plan: an untrusted file is read completely.
 */
export const source: Source = { id: 'holdpoint-yaml', parse, jsonSchema: jsonSchemaWith, withPacks }

const HOOKS_MAX = 10_000
const RULES_MAX = 10_000

function parse(text: string, file: SourceFile): Result<Layer> {
  const document = parseYaml(text)
  const yaml = document.ok ? toJson(document.value) : document
  if (!yaml.ok) return refused(yaml.problem, file)
  const config = checkFile(yaml.value)
  if (!config.ok) return refused(config.problem, file)

  const problems = problemsOf(yaml.value, file.path)
  const reading: YamlReader = { yaml: yaml.value, file, problems, readMatcher: matcherReader() }
  const misspelled = Object.entries(config.value).flatMap(([key, value]) =>
    KEYS.includes(key) ? [] : holdUnknown(key, value, reading),
  )
  const { packs = null, hooks = null, rules = null, contracts = null } = config.value
  const { imports = null, settings = null } = config.value
  const extended = readExtends(config.value.extends ?? null, reading)
  return good({
    rank: file.rank,
    file: file.path,
    trusted: file.trusted,
    packs: readPacks(packs, reading),
    hooks: [
      ...readRules(rules, reading),
      ...readHooks(hooks, reading),
      ...readContracts(contracts, reading),
      ...misspelled,
    ],
    ...readImports(imports, reading),
    ...extended,
    settings: readSettingsBlock(settings, reading),
    problems: problems.list(),
  })
}

/** Rules and hooks below a misspelled key stop calls too. */
function holdUnknown(key: string, value: Json, reading: YamlReader): readonly HookEntry[] {
  const mark = reading.problems.mark()
  reading.problems.addUnknownKey([key], 'a key of the configuration', KEYS)
  switch (suggest(key, KEYS)) {
    case 'rules':
      return holdRules(value, key, mark, reading)
    case 'hooks':
      return holdEvents(value, key, mark, reading)
    default:
      return []
  }
}

const KEYS: readonly string[] = Object.keys(configSchema.shape)

/** The file as a mapping of this version. An empty file is an empty mapping. */
function checkFile(yaml: YamlJson): Result<JsonObject> {
  const { json } = yaml
  if (json === null) return good({})
  if (!isObject(json)) {
    const message = `The file must be a mapping that starts with \`version: 1\`, not ${nameValue(json)}.`
    return bad('CONFIG_VERSION', message, locate(yaml, []))
  }
  if (json.version !== 1) {
    const place = { ...locate(yaml, ['version']), key: 'version' }
    if ('version' in json) {
      return bad('CONFIG_VERSION', `\`version\` must be the number 1, not ${nameValue(json.version)}.`, place)
    }
    const typo = Object.keys(json).find((key) => didYouMean(key, ['version']) !== '')
    const seen = typo === undefined ? '' : ` \`${typo}\` is not a key; did you mean \`version\`?`
    return bad('CONFIG_VERSION', `\`version\` is missing.${seen}`, place)
  }
  const hooks = countHooks(json.hooks)
  if (hooks > HOOKS_MAX) {
    return bad('CONFIG_TOO_LARGE', `The file has ${hooks} hooks; at most ${HOOKS_MAX} are read.`, {
      ...locate(yaml, ['hooks'], 'key'),
      key: 'hooks',
      fix: 'Join hooks that run the same command: one `match` can contain many names.',
    })
  }
  const rules = countRules(json.rules)
  if (rules > RULES_MAX) {
    return bad('CONFIG_TOO_LARGE', `The file has ${rules} rules; at most ${RULES_MAX} are read.`, {
      ...locate(yaml, ['rules'], 'key'),
      key: 'rules',
      fix: 'Join rules with the same outcome: one condition can contain a list, or `any`.',
    })
  }
  return good(json)
}

function refused(problem: Problem, file: SourceFile): Result<never> {
  return { ok: false, problem: { ...problem, message: printable(problem.message), file: file.path } }
}
