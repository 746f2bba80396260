import { eachWord } from '../../../core/word-list.ts'
import { readOptions, valuesOf } from '../../arguments/options.ts'
import { type VerbProgram, verbEffects } from '../../arguments/verbs.ts'
import { codeRun, type Launch, type LaunchCall } from '../../vocabulary/launch.ts'
import { exactText, exactWord, textPiece, type Word } from '../../words/words.ts'
import { operandFiles, type ScriptFiles } from '../aspects/script-files.ts'
import { only, PLAIN } from '../aspects/wrapper.ts'
import { RESET } from '../databases/acts.ts'
import { each, type ProgramTable, saying } from '../program.ts'
import { FOREIGN, PUBLISH, UNPUBLISH } from './acts.ts'
import { ADDRESS, after } from './foreign.ts'
import { published, publishing, unpublished } from './registry.ts'

const MAVEN_GOALS = /^(deploy|release:perform|nexus-staging:release|org\.sonatype\.[\w.:-]*:deploy)$|:deploy$/
const GRADLE_TASKS = /^(:?[\w-]+:)*(publish(?!\w*Local)\w*|uploadArchives|closeAndRelease\w*)$/
const MAVEN = publishing(
  ['', PUBLISH, { word: MAVEN_GOALS }],
  ['', RESET, { word: /^(org\.flywaydb:flyway-maven-plugin:|flyway:)clean$|^liquibase:dropAll$/ }],
)
const GRADLE = publishing(
  ['', PUBLISH, { word: GRADLE_TASKS }],
  ['', RESET, { word: /^(:?[\w-]+:)*(flywayClean|liquibaseDropAll|dropAll)$/ }],
)

const CARGO_ACTS = publishing(['yank', UNPUBLISH, { unless: 'undo' }], published('publish'), [
  'release',
  PUBLISH,
  { given: 'execute x' },
])

/** `cargo +nightly publish`. */
function withoutToolchain(args: readonly Word[]): readonly Word[] {
  return exactText(args[0])?.startsWith('+') === true ? args.slice(1) : args
}

const sources: ScriptFiles = { files: operandFiles, language: 'other' }

/** Packages of other languages. Installing is everyday work and no act here. */
export const OTHER_PACKAGES: ProgramTable = {
  cargo: {
    does: ({ command }) => verbEffects({ ...command, args: withoutToolchain(command.args) }, CARGO_ACTS),
    lines: [
      [
        FOREIGN,
        /^(?:\+\S+\s+)?(?:install|binstall)\b.*(?:--git[ =]|--index[ =]|--registry-index|(?:^|\s)https?:)/,
      ],
    ],
    starts: cargoLaunch,
  },
  gem: {
    acts: publishing(unpublished('yank'), published('push')),
    lines: [
      [
        FOREIGN,
        /\b(?:install|i|exec|update)\b.*(?:\s(?:-s|--source)[ =]\S|\shttps?:)/,
        /(?:-s|--source)[ =]https:\/\/rubygems\.org/,
      ],
      [FOREIGN, /\bspecific_install\b|\bsources?\s+(?:-a|--add)\s/],
    ],
  },
  ...each<VerbProgram>((acts) => ({ acts }), {
    'mvn mvnw': MAVEN,
    'gradle gradlew': GRADLE,
    vsce: publishing(unpublished('unpublish'), published('publish')),
    ovsx: publishing(published('publish')),
    flutter: publishing(published('pub publish')),
    mix: publishing(
      unpublished('hex.retire'),
      ['hex.publish', UNPUBLISH, { value: [/./, 'revert'] }],
      published('hex.publish'),
      ['ecto.drop|ecto.reset', RESET],
    ),
    np: publishing(['', PUBLISH, { unless: 'preview' }]),
    'release-it': publishing(['', PUBLISH]),
    changeset: publishing(published('publish')),
    jsr: publishing(unpublished('unpublish'), published('publish')),
    pod: publishing(unpublished('trunk delete|deprecate'), published('trunk push')),
    cabal: publishing(['upload', PUBLISH, { given: 'publish' }]),
    'semantic-release': publishing(['', PUBLISH]),
    goreleaser: publishing(['release', PUBLISH, { unless: 'snapshot' }]),
  }),
  dotnet: {
    acts: publishing(unpublished('nuget delete'), published('nuget push'), ['ef database drop', RESET]),
    lines: [[FOREIGN, /\btool\s+(?:install|update|run)\b.*--add-source[ =]/]],
    scripts: sources,
  },
  nuget: {
    acts: { ...publishing(unpublished('delete'), published('push')), singleDash: true },
    lines: [[FOREIGN, /\binstall\b.*-Source\s+https?:/i, /api\.nuget\.org/]],
  },
  dart: { acts: publishing(published('pub publish')), scripts: sources },
  lerna: {
    acts: publishing(published('publish')),
    wraps: only('exec', {
      options: 'scope= ignore= since= concurrency= stream parallel bail',
      separated: true,
    }),
  },
  luarocks: {
    acts: publishing(published('upload')),
    lines: [[FOREIGN, /\binstall\b.*(?:--server|--from)[ =]|\binstall\b.*\shttps?:/]],
  },
  ...each(saying(FOREIGN), {
    'cpanm cpan': ADDRESS,
    'pear pecl': /\binstall\b.*\shttps?:/,
    composer: /\bglobal\s+require\b.*--repository|\bconfig\b.*\brepositor(?:y|ies)\b.*https?:/,
    'install-module install-script install-package': /-(?:Repository|Source)\s+\S*https?:/i,
  }),
  asdf: {
    lines: [[FOREIGN, /\bplugins?\s+(?:add|install)\s+\S+\s+(?:https?:|git@)/]],
    wraps: only('exec', PLAIN),
  },
  mise: {
    lines: [[FOREIGN, /\bplugins?\s+(?:add|install)\s+\S+\s+(?:https?:|git@)/]],
    wraps: {
      options: 'C|cd= E|env= j|jobs= q|quiet v|verbose y|yes',
      verbs: Object.fromEntries(
        eachWord('exec x', {
          options: 'c|command= C|cd= j|jobs= E|env= raw',
          code: 'command',
          separated: true,
        }),
      ),
    },
  },
  nix: {
    lines: [
      [
        FOREIGN,
        after('run|shell|develop|profile install'),
        /\bgithub:(?:NixOS|nixos|numtide|nix-community)\//,
      ],
    ],
    wraps: {
      ...PLAIN,
      verbs: Object.fromEntries(eachWord('develop shell env', { ...PLAIN, after: '-c --command' })),
    },
    // `nix run nixpkgs#bash -- -c code`
    starts: ({ name, args }) => {
      const [verb, ...rest] = args
      const at = rest.findIndex((word) => exactText(word) === '--')
      const named = exactText(rest.find((word) => !/^-/.test(word.source))) ?? ''
      const program = exactText(verb) === 'run' ? /#([\w.-]+)$/.exec(named)?.[1] : undefined
      if (program === undefined) return undefined
      const words = [exactWord(program), ...(at < 0 ? [] : rest.slice(at + 1))]
      return { own: at < 0 ? args.length : at + 1, runs: [{ via: `${name} run`, words }] }
    },
  },
}

/** Settings of cargo that name a program it starts. */
const CARGO_PROGRAM =
  /(?:^|\.)(?:runner|linker|rustc|rustdoc|rustc-(?:workspace-)?wrapper|credential-process)$/

/** `cargo --config 'target.x.runner="code"' run`, also with a list of words. */
function cargoLaunch({ name, args }: LaunchCall): Launch | undefined {
  const settings = valuesOf(readOptions(args, CARGO), 'config').map((word) => exactText(word) ?? '')
  const runs = settings.flatMap((setting) => {
    const [, key = '', value = ''] = /^\s*([\w.'"-]+?)\s*=\s*(.*)$/s.exec(setting) ?? []
    if (!CARGO_PROGRAM.test(key.replace(/["']/g, ''))) return []
    const texts = [...value.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'/g)].map(
      ([, double, single]) => double ?? single,
    )
    return [codeRun(`${name} --config`, [[textPiece(texts.join(' '))]], { setting: true })]
  })
  return runs.length === 0 ? undefined : { own: args.length, runs }
}

const CARGO = 'config= Z= C= color= p|package= manifest-path= target= features='
