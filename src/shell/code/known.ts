import { eachWord } from '../../core/word-list.ts'
import { type FilePlace, knownTextAt } from '../expand/line-files.ts'
import { decodeBase64, decodeHex } from '../words/decode.ts'
import { concatForms, type Form, patternForm, textPiece } from '../words/words.ts'
import type { CodeProgram } from './machine.ts'
import {
  type CodeCall,
  type CodeValue,
  codeText,
  concat,
  formOf,
  joinPath,
  list,
  NO_NAMES,
  textOf,
  unknown,
  wordOf,
} from './values.ts'

/** Names and calls whose value can be told: the home folder, joined paths, decoded texts. For every language at once. */
export function knownValue(name: string, call: CodeCall | undefined): CodeValue | undefined {
  if (call === undefined) return CONSTANTS.get(name)
  const compute =
    FUNCTIONS.get(name.replaceAll('::', '.')) ?? METHODS.get(name.slice(name.lastIndexOf('.') + 1))
  return compute?.(call)
}

/** The same, and what the files hold that this line or session wrote: `open('/tmp/p').read()`. */
export function knowing(place: FilePlace): CodeProgram['known'] {
  if (place.files.size === 0) return knownValue
  return (name, call) => knownValue(name, call) ?? (call === undefined ? undefined : contentRead(call, place))
}

const READS =
  /(?:^|[.:])(?:read|readline|read_text|readFileSync|readFile|readTextFileSync|file_get_contents|slurp)$/

function contentRead(call: CodeCall, place: FilePlace): CodeValue | undefined {
  if (!READS.test(call.name)) return undefined
  const { receiver: of } = call
  const path = of?.kind === 'thing' ? of.made?.args[0] : (call.args[0] ?? of)
  const forms = path?.kind === 'text' ? knownTextAt(wordOf(path), place) : undefined
  if (forms === undefined) return undefined
  // A path in a file ends with its line.
  const lines = forms.map((form): CodeValue => ({ kind: 'text', form: withoutEnd(form) }))
  return lines.length === 1 ? lines[0] : { kind: 'any', of: lines }
}

function withoutEnd(form: Form): Form {
  const last = form.at(-1)
  if (last?.kind !== 'text' || !last.text.endsWith('\n')) return form
  return concatForms(form.slice(0, -1), [textPiece(last.text.trimEnd())])
}

const HOME = codeText('~')
const HERE = codeText('.')

function thing(name: string): CodeValue {
  return { kind: 'thing', name }
}

const CONSTANTS: ReadonlyMap<string, CodeValue> = new Map<string, CodeValue>([
  ...['process.env', 'os.environ', 'ENV', '$ENV', '%ENV', '$_SERVER', '$_ENV'].flatMap((name) => [
    [`${name}.HOME`, HOME] as const,
    [`${name}.USERPROFILE`, HOME] as const,
    [`${name}.PWD`, HERE] as const,
    [`${name}.TMPDIR`, codeText('/tmp')] as const,
  ]),
  ['Dir.home', HOME],
  ['Dir.pwd', HERE],
  ['__dirname', HERE],
  ['sys.executable', codeText('python3')],
  ['process.execPath', codeText('node')],
  ['process.argv0', codeText('node')],
  ['os.sep', codeText('/')],
  ['path.sep', codeText('/')],
  ['fs.promises', thing('fs')],
  ['True', codeText('true')],
  ['TRUE', codeText('true')],
])

type Compute = (call: CodeCall) => CodeValue | undefined

const first: Compute = ({ args }) => args[0]
const home: Compute = () => HOME
const here: Compute = () => HERE
const join: Compute = ({ args }) => joinPath(args)
const receiver: Compute = (call) => call.receiver
const temporary: Compute = () => codeText('/tmp/tmp.XXXXXXXXXX')
const temporaryFolder: Compute = () => codeText('/tmp')
const environment: Compute = ({ args }) => {
  const name = textOf(args[0])
  return name === undefined ? undefined : CONSTANTS.get(`process.env.${name}`)
}
const module: Compute = ({ args }) => {
  const name = textOf(args[0])
    ?.replace(/^node:/, '')
    .replace(/^fs(-extra|\/promises)$/, 'fs')
  return name === undefined ? undefined : thing(name)
}
/** `getattr(os, 'system')` */
const attribute: Compute = ({ args: [of, name] }) => {
  const member = textOf(name)
  return of?.kind === 'thing' && member !== undefined ? thing(`${of.name}.${member}`) : undefined
}
const glob: Compute = ({ args }) => {
  const pattern = textOf(args[0])
  return pattern === undefined ? unknown('glob') : { kind: 'text', form: patternForm(pattern) }
}
/** `os.scandir(folder)`: entries, which stand for their paths. */
const entries: Compute = ({ args: [folder] }) =>
  below({
    ...{ name: 'glob', named: NO_NAMES, receiver: folder ?? codeText('.') },
    args: [codeText('*')],
  })
const names: Compute = () => ({ kind: 'text', form: patternForm('*') })
/** Each folder, with the names of what is in it. */
const tree: Compute = ({ args: [root] }) => {
  const name: CodeValue = { kind: 'text', form: patternForm('*') }
  return root === undefined ? undefined : list([list([root, name, name, unknown('…')])])
}
const decoded = (decode: (value: string) => string | undefined): Compute => {
  return ({ args }) => {
    const written = textOf(args[0])
    const value = written === undefined ? undefined : decode(written)
    return value === undefined ? undefined : { kind: 'text', form: formOf(codeText(value)), decoded: true }
  }
}
const characters: Compute = ({ args }) => {
  const codes = args.map((each) => Number(textOf(each) ?? Number.NaN))
  return codes.every((code) => code > 0 && code <= 0xffff)
    ? codeText(String.fromCharCode(...codes))
    : undefined
}
const split: Compute = (call) => {
  const whole = textOf(call.receiver ?? call.args[0])
  return whole === undefined || call.args.length > 1
    ? undefined
    : list(
        whole
          .split(/\s+/)
          .filter((each) => each !== '')
          .map(codeText),
      )
}

const FUNCTIONS: ReadonlyMap<string, Compute> = new Map<string, Compute>([
  ...named(
    first,
    `
      str String Path pathlib.Path PurePath pathlib.PosixPath Pathname.new os.fspath os.path.abspath
      os.path.realpath
    `,
  ),
  ...named(
    first,
    `
      os.path.expanduser os.path.expandvars os.path.normpath path.resolve path.normalize File.expand_path
      File.realpath
    `,
  ),
  ...named(
    first,
    `
      path.expand normalizePath realpath bytes.decode Array Buffer.from.toString shlex.quote Shellwords.escape
      escapeshellarg
    `,
  ),
  ...named(first, 'list tuple repr URL URI URI.parse new.URL urllib.request.Request Request'),
  ...named(home, 'Path.home pathlib.Path.home os.homedir homedir Dir.home File::HomeDir.my_home'),
  ...named(here, 'os.getcwd process.cwd Dir.pwd Dir.getwd getcwd getwd Path.cwd pathlib.Path.cwd'),
  ...named(
    temporary,
    'tempfile.mkdtemp tempfile.mktemp Dir.mktmpdir tempdir File.tempdir fs.mkdtempSync mkdtempSync',
  ),
  ...named(temporaryFolder, 'tempfile.gettempdir os.tmpdir tmpdir sys_get_temp_dir Dir.tmpdir'),
  ...named(join, 'os.path.join path.join File.join file.path catfile File::Spec.catfile'),
  ...named(environment, 'os.getenv os.environ.get getenv ENV.fetch Sys.getenv Deno.env.get Bun.env'),
  ...named(module, 'require __import__ importlib.import_module import'),
  ...named(attribute, 'getattr'),
  ...named(names, 'os.listdir fs.readdirSync readdirSync Dir.entries Dir.children list.files'),
  ...named(entries, 'os.scandir scandir'),
  ...named(tree, 'os.walk os.fwalk'),
  ...named(glob, 'glob.glob glob.iglob Dir.glob glob Sys.glob'),
  ...named(
    decoded(decodeBase64),
    'base64.b64decode base64.decodebytes base64.standard_b64decode b64decode atob Base64.decode64',
  ),
  ...named(
    decoded(decodeBase64),
    'Base64.strict_decode64 base64_decode decode_base64 MIME::Base64::decode_base64',
  ),
  ...named(decoded(decodeHex), 'bytes.fromhex binascii.unhexlify bytearray.fromhex hex2bin'),
  ...named(characters, 'chr String.fromCharCode String.fromCodePoint'),
  ...named(split, 'shlex.split Shellwords.split shellwords'),
  ['paste0', ({ args }) => args.reduce(concat, codeText(''))],
  [
    'paste',
    ({ args }) =>
      args.reduce(
        (left, right, at) => (at === 0 ? right : concat(concat(left, codeText(' ')), right)),
        codeText(''),
      ),
  ],
  ['c', ({ args }) => list(args)],
  [
    'Buffer.from',
    (call) =>
      textOf(call.args[1]) === 'base64'
        ? decoded(decodeBase64)(call)
        : textOf(call.args[1]) === 'hex'
          ? decoded(decodeHex)(call)
          : call.args[0],
  ],
])

/** Methods that leave the text they are called on as it is, or change it in a way we can follow. */
const METHODS: ReadonlyMap<string, Compute> = new Map<string, Compute>([
  ...named(
    receiver,
    'decode encode strip trim rstrip chomp toString to_s to_str absolute resolve expanduser as_posix freeze',
  ),
  ['joinpath', (call) => (call.receiver === undefined ? undefined : joinPath([call.receiver, ...call.args]))],
  ['split', (call) => (call.receiver?.kind === 'text' ? split(call) : undefined)],
  [
    'concat',
    (call) => (call.receiver?.kind === 'text' ? call.args.reduce(concat, call.receiver) : undefined),
  ],
  ['glob', (call) => below(call)],
  ['rglob', (call) => below(call)],
  ['iterdir', (call) => below({ ...call, args: [codeText('*')] })],
  ['join', (call) => joinedList(call)],
  ['format', (call) => formatted(call)],
])

/** `Path('x').glob('*.tmp')` */
function below(call: CodeCall): CodeValue | undefined {
  const pattern = textOf(call.args[0])
  if (call.receiver?.kind !== 'text' || pattern === undefined) return undefined
  return { kind: 'text', form: [...formOf(joinPath([call.receiver, codeText('')])), ...patternForm(pattern)] }
}

/** `' '.join(['rm', '-rf'])` and `['rm', '-rf'].join(' ')` */
function joinedList({ receiver: of, args: [other] }: CodeCall): CodeValue | undefined {
  const [items, gap] = of?.kind === 'list' ? [of, other ?? codeText(',')] : [other, of]
  if (items?.kind !== 'list' || gap === undefined) return undefined
  return items.items.reduce<CodeValue>(
    (left, right, at) => (at === 0 ? right : concat(concat(left, gap), right)),
    codeText(''),
  )
}

/** `'rm {}'.format(x)` */
function formatted({ receiver: of, args }: CodeCall): CodeValue | undefined {
  const whole = textOf(of)
  if (whole === undefined) return undefined
  const values = [...args]
  return whole
    .split(/(\{\w*\})/)
    .map((part) => (/^\{\w*\}$/.test(part) ? (values.shift() ?? unknown(part)) : codeText(part)))
    .reduce(concat, codeText(''))
}

function named(compute: Compute, names: string): readonly (readonly [string, Compute])[] {
  return eachWord(names.replaceAll('::', '.'), compute)
}
