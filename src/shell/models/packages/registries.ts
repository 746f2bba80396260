import { wordList } from '../../../core/word-list.ts'
import { optionTable } from '../../arguments/options.ts'
import {
  type Certainty,
  certainly,
  isGiven,
  type VerbCall,
  type VerbProgram,
  type VerbRule,
  valueIs,
  wordIs,
} from '../../arguments/verbs.ts'
import { exactText, exactTexts } from '../../words/words.ts'
import { LOADS_CODE, LOADS_OVER_OPEN_LINE } from '../../programs/packages/acts.ts'
import { RESET } from '../migrations/acts.ts'
import { PUBLISH, UNPUBLISH } from '../../programs/packages/acts.ts'

const OPTIONS = optionTable(`
  C|prefix|cwd|dir|directory= w|workspace= registry= tag= access= otp= filter|F= loglevel= manifest-path=
  p|package= token= index= target-dir= Z= config= color= vers|version= r|repository= repository-url=
  u|username= host= k|key= s|source= api-key= features= i= f|file= pl= P= D= publish-url= n|dry-run dry-run=?
  dryRun h|help json g|global no-git-checks allow-dirty no-verify undo snapshot skip-publish y|yes q v build
  c= context= configuration= project= revert= publish e B U T= am o N
`)

function program(...rules: readonly VerbRule[]): VerbProgram {
  return { options: OPTIONS, dryRun: ['dry-run', 'dryRun'], harmless: HARMLESS, rules }
}

const HARMLESS = wordList(`
  install i ci run test build add remove exec start check sync update list ls info view audit outdated init
  clean fmt clippy doc pack
`)
const publish = (verbs: string): VerbRule => ({ verbs, act: PUBLISH })
const unpublish = (verbs: string): VerbRule => ({ verbs, act: UNPUBLISH })

/** Settings of npm that name a program every later call runs. */
function setsProgram({ rest }: VerbCall): Certainty {
  return wordIs(rest[0], SETTINGS) === 'yes'
    ? 'yes'
    : certainly(/^(script-shell|node-options|shell|git)=/.test(exactText(rest[0]) ?? ''))
}

/** Fetched over a line that anybody on the way can change, from no machine near by: what it holds is run. */
const OPEN_LINE =
  /^(?:--?[\w-]+=|[\w.:@/-]+=)?http:\/\/(?!localhost\b|127\.|\[::1\]|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|[\w-]+[:/]|[^/]*\.(?:local|internal|test|lan|localhost)\b)/i

/** `npm install http://…`, `--registry http://…`, `config set registry http://…`. */
function overOpenLine({ rest, read }: VerbCall): Certainty {
  const words = [...rest, ...read.options.flatMap(({ value }) => value ?? [])]
  return certainly(words.some((word) => exactTexts(word).some((text) => OPEN_LINE.test(text))))
}

const SETTINGS = ['script-shell', 'node-options', 'shell', 'git', 'node-gyp']

const NPM_OPTIONS = optionTable(`
  C|dir|prefix|cwd= w|workspace= F|filter= registry= tag= access= otp= loglevel= r|recursive workspaces
  dry-run=? n help h|help json g|global s|silent q|quiet f|force userconfig= cache= script-shell=
  no-git-checks y|yes provenance=? ignore-scripts tolerate-republish
`)
const NPM: VerbProgram = {
  ...program(
    unpublish('unpublish|deprecate|unpub'),
    unpublish('owner rm|remove'),
    unpublish('dist-tag|dist-tags|tag rm|remove'),
    publish('publish|pub'),
    publish('npm publish'),
    publish('workspace * publish'),
    publish('workspace * npm publish'),
    publish('workspaces foreach npm publish'),
    publish('stage publish'),
    publish('owner add'),
    publish('access grant|set|public'),
    { verbs: 'config|c set', act: LOADS_CODE, when: setsProgram },
    { verbs: 'set', act: LOADS_CODE, when: setsProgram },
    { verbs: 'config|c set', act: LOADS_OVER_OPEN_LINE, when: overOpenLine },
    { verbs: 'set', act: LOADS_OVER_OPEN_LINE, when: overOpenLine },
    { verbs: 'install|i|add|ci|update|exec|x|dlx', act: LOADS_OVER_OPEN_LINE, when: overOpenLine },
    { verbs: '', act: LOADS_CODE, when: ({ read }) => valueIs(read, /./, 'script-shell') },
  ),
  options: NPM_OPTIONS,
}
const PIP = program(
  { verbs: 'install|download|wheel', act: LOADS_OVER_OPEN_LINE, when: overOpenLine },
  { verbs: 'config set', act: LOADS_OVER_OPEN_LINE, when: overOpenLine },
)
const POETRY = program(publish('publish'), publish('upload'))
const MAVEN_GOALS = /^(deploy|release:perform|nexus-staging:release|org\.sonatype\.[\w.:-]*:deploy)$|:deploy$/
const GRADLE_TASKS = /^(:?[\w-]+:)*(publish(?!\w*Local)\w*|uploadArchives|closeAndRelease\w*)$/

function someWord(pattern: RegExp): NonNullable<VerbRule['when']> {
  return ({ rest }) => certainly(rest.some((word) => exactTexts(word).some((text) => pattern.test(text))))
}

const MAVEN = program(
  { verbs: '', act: PUBLISH, when: someWord(MAVEN_GOALS) },
  {
    verbs: '',
    act: RESET,
    when: someWord(/^(org\.flywaydb:flyway-maven-plugin:|flyway:)clean$|^liquibase:dropAll$/),
  },
)
const GRADLE = program(
  { verbs: '', act: PUBLISH, when: someWord(GRADLE_TASKS) },
  { verbs: '', act: RESET, when: someWord(/^(:?[\w-]+:)*(flywayClean|liquibaseDropAll|dropAll)$/) },
)

/** Programs that send packages to a registry. */
export const REGISTRIES: ReadonlyMap<string, VerbProgram> = new Map([
  ['npm', NPM],
  ['pnpm', NPM],
  ['yarn', NPM],
  ['bun', NPM],
  [
    'cargo',
    program(
      { verbs: 'yank', act: UNPUBLISH, when: ({ read }) => certainly(isGiven(read, 'undo') !== 'yes') },
      publish('publish'),
      { verbs: 'release', act: PUBLISH, when: ({ read }) => isGiven(read, 'execute', 'x') },
    ),
  ],
  ['pip', PIP],
  ['pip3', PIP],
  ['twine', program(publish('upload'))],
  ['gem', program(unpublish('yank'), publish('push'))],
  ['poetry', POETRY],
  ['uv', POETRY],
  ['hatch', POETRY],
  ['pdm', POETRY],
  ['flit', POETRY],
  ['mvn', MAVEN],
  ['mvnw', MAVEN],
  ['gradle', GRADLE],
  ['gradlew', GRADLE],
  [
    'dotnet',
    program(unpublish('nuget delete'), publish('nuget push'), { verbs: 'ef database drop', act: RESET }),
  ],
  ['nuget', { ...program(unpublish('delete'), publish('push')), singleDash: true }],
  ['vsce', program(unpublish('unpublish'), publish('publish'))],
  ['ovsx', program(publish('publish'))],
  ['dart', program(publish('pub publish'))],
  ['flutter', program(publish('pub publish'))],
  [
    'mix',
    program(
      unpublish('hex.retire'),
      { verbs: 'hex.publish', act: UNPUBLISH, when: ({ read }) => valueIs(read, /./, 'revert') },
      publish('hex.publish'),
      { verbs: 'ecto.drop|ecto.reset', act: RESET },
    ),
  ],
  ['lerna', program(publish('publish'))],
  [
    'np',
    program({ verbs: '', act: PUBLISH, when: ({ read }) => certainly(isGiven(read, 'preview') !== 'yes') }),
  ],
  ['release-it', program({ verbs: '', act: PUBLISH })],
  ['changeset', program(publish('publish'))],
  ['jsr', program(unpublish('unpublish'), publish('publish'))],
  ['deno', program(publish('publish'))],
  ['pod', program(unpublish('trunk delete|deprecate'), publish('trunk push'))],
  ['cabal', program({ verbs: 'upload', act: PUBLISH, when: ({ read }) => isGiven(read, 'publish') })],
  ['luarocks', program(publish('upload'))],
  ['anaconda', program(unpublish('remove'), publish('upload'))],
  ['semantic-release', program({ verbs: '', act: PUBLISH })],
  [
    'goreleaser',
    program({
      verbs: 'release',
      act: PUBLISH,
      when: ({ read }) => certainly(isGiven(read, 'snapshot') !== 'yes'),
    }),
  ],
])
