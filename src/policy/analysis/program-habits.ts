import { diffFiles } from '../../core/patch.ts'
import { wordSet } from '../../core/word-list.ts'
import { readOptions, valuesOf } from '../../shell/arguments/options.ts'
import { readGit } from '../../shell/programs/git/call.ts'
import { variableSettings } from '../../shell/programs/git/config.ts'
import { workTreeOf } from '../../shell/programs/git/work-tree.ts'
import type { Language, SimpleCommand } from '../../shell/vocabulary/command.ts'
import {
  exactForm,
  exactText,
  exactTexts,
  exactWord,
  type Form,
  patternForm,
  type Word,
} from '../../shell/words/words.ts'

/** Programs that only read their arguments, or change only the files that they name as output. */
export const READERS = wordSet(`
  cat head tail less more bat batcat wc ls stat file test [ [[ jq yq nl tac cut paste fold fmt tr awk gawk
  mawk sed grep egrep fgrep zgrep rg ag ack diff cmp comm delta colordiff md5sum sha1sum sha256sum
  sha512sum shasum cksum b2sum tree du find fd cd pushd realpath readlink dirname basename sort uniq column
  xxd od hexdump strings source . cp install rsync scp ditto tee dd tar zip gzip bzip2 xz zstd curl wget
  base64 open xdg-open code pygmentize
`)

/** git commands that put nothing at the places that are named to them. Of all others that is not known. */
const GIT_READERS = wordSet(`
  add am annotate apply archive blame branch cat-file check-attr check-ignore commit commit-graph commit-tree config
  count-objects describe diff diff-files diff-index diff-tree fetch for-each-ref fsck gc grep hash-object help init log
  ls-files ls-remote ls-tree maintenance merge-base merge-tree name-rev notes pull push range-diff reflog remote reset
  restore rev-list rev-parse rm shortlog show show-branch show-ref stage stash status tag update-index var
  verify-commit verify-tag version whatchanged
`)

/** Does it only read what it is given, or change only what it names as output? */
export function isReader(command: SimpleCommand): boolean {
  const { name = '', args, cwd } = command
  if (name !== 'git') return READERS.has(name) && !printsToNamed(command)
  const { verb, inert } = readGit(args, { cwd, home: '/' })
  return inert || verb === undefined || exactTexts(verb).some((text) => GIT_READERS.has(text))
}

/** `git clone url folder`, `git worktree add folder`: it is filled with what nobody has seen. */
export function fillsFolder({ name, args, cwd }: SimpleCommand): boolean {
  if (name !== 'git') return false
  const verb = exactText(readGit(args, { cwd, home: '/' }).verb)
  return verb !== undefined && /^(?:clone|worktree|submodule|subtree|svn|p4|read-tree)$/.test(verb)
}

/** git commands that put files of the repository into the work tree. */
const GIT_FILLERS = wordSet(`
  am apply bisect checkout checkout-index cherry-pick merge pull read-tree rebase reset restore revert sparse-checkout switch
`)

/** The folder that git takes for its work tree, where it was told one and puts files into it. */
export function filledTree(command: SimpleCommand, home: string): Word | undefined {
  if (command.name !== 'git') return undefined
  const call = readGit(command.args, { cwd: command.cwd, home })
  const [verb = ''] = call.verb === undefined ? [] : exactTexts(call.verb)
  const fromStash = verb === 'stash' && /^(?:pop|apply|branch)$/.test(exactText(call.args[0]) ?? '')
  if (call.inert || !(fromStash || GIT_FILLERS.has(verb))) return undefined
  const told = workTreeOf(call.workTree, command, [...call.config, ...variableSettings(command)])
  if (told !== undefined) return told
  const [prefix] = verb === 'checkout-index' ? valuesOf(readOptions(call.args, 'prefix='), 'prefix') : []
  if (prefix !== undefined) return prefix
  // A folder with the settings of an agent is changed from within, too.
  return call.cwd !== undefined && /\/\.[^/]+$/.test(call.cwd) ? exactWord(call.cwd) : undefined
}

/** These change their arguments, even if only the name or the permissions change. */
export const CHANGERS = wordSet(`
  mv rm rmdir unlink shred truncate chmod chown chgrp chattr setfacl ln trash trash-put mount umount chflags
  xattr setcap rename prename perl-rename file-rename mmv zmv vidir
`)

const INTERPRETERS =
  /^(?:python[\d.]*|pypy[\d.]*|py|node|nodejs|deno|bun|ruby|perl|php|lua|Rscript|osascript|pwsh|powershell)$/

/** Words in code that change a file, or run something that may change one. */
const CHANGING =
  /write|append|unlink|remove|rename|replace|rmtree|rmdir|\brm|truncate|ch(?:mod|own)|move|copy|link|dump|save|put_|touch|delete|edit|exec|O_(?:TRUNC|WRONLY|RDWR|CREAT)|inplace|extract|unpack|retrieve|to_(?:json|csv|pickle|parquet|excel|html|feather|hdf)|sysopen|\^I\b|dbmopen|\?[wa]\b|download|report|output|-r\w*un\b|spawn|system|popen|subprocess|eval|['"][wax]b?\+?['"]|['"]r\+b?['"]|>/i

/** Calls that change nothing. Of any other in Python and JavaScript that is not known. */
const READING_CALLS = wordSet(`
  open print json load loads len sorted list dict set tuple str int float bool sum min max any all enumerate zip range
  map filter reversed isinstance type repr getattr hasattr next iter input format get items keys values strip lstrip
  rstrip split splitlines join startswith endswith lower upper find index count read readline readlines read_text
  read_bytes exists isfile isdir is_file is_dir getsize stat lstat expanduser expandvars abspath realpath dirname basename
  resolve relative_to glob rglob iglob iterdir listdir scandir walk search match fullmatch findall finditer compile group
  groups sub escape dumps safe_load decode encode hexdigest sha256 md5 sha1 exit Path PurePath pprint title
  log error warn info table dir require parse stringify readFileSync readFile existsSync statSync readdirSync
  forEach some every reduce includes indexOf slice concat flat flatMap entries fromEntries toString trim padEnd
  padStart test exec matchAll then catch cwd isArray Array Object String Number Set Map Boolean push sort from of now
  function async await if for while switch return in not and or lambda def elif except with assert raise yield else is
  has at charAt substring substr toLowerCase toUpperCase localeCompare environ getenv Counter defaultdict OrderedDict
  most_common extend add append insert tomllib tomli nlargest zfill ljust rjust center partition rpartition isoformat
  fromtimestamp strftime getmtime sleep chain islice groupby round abs ord chr hex bytes bytearray memoryview fileinput
  iterate lineno filename deepcopy platform version system_info homedir hostname
`)

/** Does code do, or may it do, more than read? */
export function mayChangeByCode(command: SimpleCommand): boolean {
  const code = command.inline?.code.map((form) => form.map((piece) => piece.text).join('')).join('\n')
  return mayChange(code ?? command.fragment, command.inline?.language)
}

function mayChange(text: string, language: Language | undefined): boolean {
  if (CHANGING.test(text)) return true
  if (language !== 'python' && language !== 'javascript') return false
  return [...text.matchAll(/([A-Za-z_$][\w$]*)\s*\(/g)].some(([, name = '']) => !READING_CALLS.has(name))
}

/** Inline code without any such word only reads the paths that it contains. */
export function readsInline(command: SimpleCommand): boolean {
  if (!INTERPRETERS.test(command.name ?? '')) return false
  const inline = command.args.some((word) => /^-\w*[cerpE]$|^--(?:eval|print)$|^-$/.test(word.source))
  const given = command.redirections.some(({ operator }) => operator.startsWith('<<'))
  if (inline || given) return !mayChange(command.fragment, command.inline?.language)
  // The code of a script that is known: the line itself says only its name.
  const code = command.inline?.code.map((form) => form.map((piece) => piece.text).join('')).join('\n')
  return code !== undefined && !mayChange(code, command.inline?.language)
}

/** A formatter or linter that is told to change nothing, or one that never changes files. */
export function onlyChecks({ name = '', args }: SimpleCommand): boolean {
  const words = args.map((word) => word.source)
  if (words.some((word) => /^--(?:write|fix|in-?place|output)\b|^-[wi]$/.test(word))) return false
  const isJsonTool = words[0] === '-m' && words[1] === 'json.tool' && words.length === 3
  return (
    CHECKERS.has(name) ||
    isJsonTool ||
    words.some((word) => /^--(?:check|list-different|dry-run|diff)$/.test(word))
  )
}

const CHECKERS = wordSet('shellcheck yamllint jsonlint eslint ajv check-jsonschema taplo tsc')

/** Code that fills a folder it names, or puts a file of its own name there. */
export function fillsByCode(command: SimpleCommand): boolean {
  if (!INTERPRETERS.test(command.name ?? '')) return false
  const code = command.inline?.code.map((form) => form.map((piece) => piece.text).join('')).join('\n') ?? ''
  return /extract|unpack|copytree|rmtree|\.report\b|diagnostic/i.test(code)
}

/** awk prints into files that a variable, an operand or a field names. */
function printsToNamed({ name = '', args }: SimpleCommand): boolean {
  if (!/^[gmn]?awk$/.test(name)) return false
  return args.some((word) =>
    /print[^\n;}]*>|print[^\n;}]*\||\bsystem\s*\(|\|\s*getline|inplace/.test(exactText(word) ?? word.source),
  )
}

/** A container may delete files that are mounted in it, unless they are mounted read-only. */
export function mountsToChange({ name = '', fragment }: SimpleCommand): boolean {
  return /^(?:docker|podman|nerdctl)$/.test(name) && !/:ro\b|readonly/.test(fragment)
}

/** `sed -i`, `perl -pi`, `yq -i`: the files are read and written back. */
export function editsInPlace({ name = '', args }: SimpleCommand): boolean {
  if (!EDITORS.test(name)) return false
  return args.some((word) => /^(?:-[a-zA-Z]*i|--in-?place|inplace$)/.test(textOf(word) ?? ''))
}

const EDITORS = /^(?:g?sed|perl|ruby|[gm]?awk|yq|jq|sd)$/

/** `cp -l`, `rsync --link-dest`: another name for the same file, through which it can be changed. */
export function makesLinks({ name = '', args }: SimpleCommand): boolean {
  if (name !== 'cp' && name !== 'rsync') return false
  const option = name === 'cp' ? /^(?:-[a-zA-Z]*[ls]|--(?:link|symbolic-link)$)/ : /^--link-dest\b/
  return args.some((word) => option.test(textOf(word) ?? ''))
}

/** The files that a diff on the command line, for `patch` or `git apply`, would change. */
export function changedByDiff(command: SimpleCommand): readonly string[] {
  const isPatch = command.name === 'patch'
  const isApply =
    command.name === 'git' && command.args.some((word) => /^(?:apply|am)$/.test(textOf(word) ?? ''))
  if (!isPatch && !isApply) return []
  return [...new Set(inputTexts(command).flatMap(diffFiles))]
}

function inputTexts({ redirections, inputText }: SimpleCommand): readonly string[] {
  const given = redirections.filter(({ operator }) => operator.startsWith('<<'))
  const forms = [...given.flatMap(({ target }) => target.forms), ...(inputText ?? [])]
  return forms.map((form) => exactForm(form) ?? '')
}

/** `curl -K - <<< 'output = x'`, `sftp -b - host <<< 'get a x'`: the output is named on standard input. */
function scriptedOutputs(command: SimpleCommand): readonly Output[] {
  const line = SCRIPTED[command.name ?? '']
  if (line === undefined) return []
  const found = inputTexts(command).flatMap((text) => [...text.matchAll(line)])
  return found.map(([, path = '']) => ({ word: exactWord(path), fills: false }))
}

const SCRIPTED: Readonly<Record<string, RegExp>> = {
  curl: /^\s*-{0,2}(?:output|o)\b\s*[=:]?\s*"?([^"\n]+?)"?\s*$/gm,
  sftp: /^\s*(?:re)?get\s+(?:-\w+\s+)*\S+\s+"?([^"\n]+?)"?\s*$/gm,
  ftp: /^\s*get\s+\S+\s+(\S+)\s*$/gm,
}

/** A word that says where a program puts its output. */
export interface Output {
  readonly word: Word
  /** A folder that is filled, so that any file in it may be replaced. */
  readonly fills: boolean
}

/** `git diff --output=x`, `gpg -o x`, `tsc --outDir x`, `rclone copy r: x`: the programs that do this are too many to list. */
export function outputsOf(command: SimpleCommand): readonly Output[] {
  const { name = '', args } = command
  if (LOOKERS.has(name)) return []
  const last = args.at(-1)
  const synced =
    (SYNCERS.has(name) || unpacks(name, args)) && last !== undefined ? [{ word: last, fills: true }] : []
  return [
    ...synced,
    ...namedOutputs({ name, args }),
    ...scriptedOutputs(command),
    ...args.flatMap((word, at): readonly Output[] => {
      const [option, attached] = splitOption(word)
      if (!OUTPUT_OPTION.test(option)) return []
      const value = attached ?? args[at + 1]
      return value === undefined ? [] : [{ word: value, fills: FOLDER_OPTION.test(option) }]
    }),
  ]
}

/** `python3 -m zipfile -e x.zip folder`, `python3 -m venv --clear folder`. */
function unpacks(name: string, args: readonly Word[]): boolean {
  const module = textOf(args[0]) === '-m' ? textOf(args[1]) : undefined
  return /^(?:python|pypy|py$)/.test(name) && /^(?:zipfile|tarfile|venv|virtualenv)$/.test(module ?? '')
}

/** Outputs that no option names: `xxd -r x file`, `awk '{ print > f }'`, `git checkout-index --prefix=folder/`. */
function namedOutputs({ name, args }: { name: string; args: readonly Word[] }): readonly Output[] {
  const plain = args.filter((word) => textOf(word)?.startsWith('-') !== true)
  if (name === 'xxd' && plain.length > 1) return plain.slice(-1).map((word) => ({ word, fills: false }))
  if (name === 'ssh-keygen') {
    if (args.some((word) => /^-[lyBFeE]/.test(word.source))) return []
    const attached = args.filter((word) => /^-\w*f./.test(word.source)).map(behindFirst)
    return [...args, ...attached].map((word) => ({ word, fills: false }))
  }
  if (name === 'less' || name === 'more') return args.flatMap(loggedByLess)
  if (name === 'sops' && args.some((word) => textOf(word) === 'edit'))
    return plain.map((word) => ({ word, fills: false }))
  if (/^(?:gunzip|unxz|unzstd|bunzip2|gzip|xz|zstd|bzip2)$/.test(name))
    return plain.flatMap((word) => unpackedAs(word))
  // `-Jo file`: the last of several letters takes the value.
  if (/^(?:tree|pygmentize|eslint|curl|wget|sort|zip)$/.test(name)) {
    const bundled = args
      .slice(1)
      .filter((_, at) => /^-[a-zA-Z]*[oO]$|^-\w*lf\w*$/.test(textOf(args[at]) ?? ''))
    const files = bundled.map((word) => ({ word: numbered(word), fills: false }))
    return name === 'curl' ? [...files, ...uploads(args)] : files
  }
  if (name === 'sed' || name === 'gsed') return args.flatMap(writtenBySed)
  if (name === 'logsave') return plain.slice(0, 1).map((word) => ({ word, fills: false }))
  if (name === 'csplit') {
    const prefixes = valuesOf(readOptions(args, 'f|prefix= b|suffix-format= n|digits='), 'prefix')
    return prefixes.map((word) => ({ word: begun(word), fills: false }))
  }
  if (name === 'git') {
    return args
      .filter((word) => textOf(word)?.startsWith('--prefix=') === true)
      .map((word) => ({ word: afterEquals(word), fills: true }))
  }
  if (!/^[gmn]?awk$/.test(name)) return []
  return args.flatMap((word) => {
    // `-d/file`, `-o/file`, `-p/file` of gawk.
    if (/^-[odp][~/.]/.test(word.source))
      return [{ word: { ...word, forms: word.forms.map(behindLetter) }, fills: false }]
    const code = exactForm(word.forms[0] ?? []) ?? ''
    if (!code.includes('>')) return []
    const texts = [...code.matchAll(/"((?:[^"\\]|\\.)*\/(?:[^"\\]|\\.)*)"/g)].map(([, text = '']) => text)
    return texts.map((text) => ({ word: exactWord(text), fills: false }))
  })
}

/** `less '+s file'`: keys that are pressed first. */
function loggedByLess(word: Word): readonly Output[] {
  const path = /^\+.*?[so]\s*([~/.].*)$/.exec(exactText(word) ?? '')?.[1]
  return path === undefined ? [] : [{ word: exactWord(path), fills: false }]
}

/** `gzip -d file.gz` makes `file`. */
function unpackedAs(word: Word): readonly Output[] {
  const path = /^(.+)\.(?:gz|xz|zst|bz2|lzma|Z)$/.exec(exactText(word) ?? '')?.[1]
  return path === undefined ? [] : [{ word: exactWord(path), fills: false }]
}

/** `curl -o 'file.#1' 'http://x/{a,b}'`: the number stands for what the address lists. */
function numbered(word: Word): Word {
  const text = exactText(word)
  if (text === undefined || !/#\d/.test(text)) return word
  return { ...word, forms: [patternForm(text.replace(/#\d+/g, '*'))] }
}

function begun(word: Word): Word {
  return { ...word, forms: word.forms.map((form) => [...form, { kind: 'glob', text: '*' }]) }
}

function behindFirst(word: Word): Word {
  const text = exactText(word) ?? ''
  return exactWord(text.slice(text.indexOf('f') + 1))
}

/** `curl -T x file:///path`: an upload into a file. */
function uploads(args: readonly Word[]): readonly Output[] {
  if (!args.some((word) => /^-\w*T|^--upload/.test(word.source))) return []
  return args.flatMap((word) => {
    const path = /^(?:--url=)?file:(?:\/\/)?(.+)$/i.exec(exactText(word) ?? '')?.[1]
    return path === undefined ? [] : [{ word: exactWord(path), fills: false }]
  })
}

/** `w file` and `s/a/b/w file`, wherever it stands in the script. */
function writtenBySed(word: Word): readonly Output[] {
  return word.forms.flatMap((form) => {
    const text = exactForm(form) ?? ''
    const found = [...text.matchAll(/(?:^|[;{}\n$!\d/,|#%@])[gpiIme\d]*[wW]\s*([~/.][^\s;}]*)/g)]
    return found.map(([, path = '']) => ({ word: exactWord(path), fills: false }))
  })
}

/** Their `-o` and `-d` mean something else. */
const LOOKERS = wordSet(
  'grep egrep fgrep zgrep rg ag ack ls ps ssh find fd bat batcat du cat git-grep stat test set mount',
)
const SYNCERS = wordSet('aws gsutil gcloud rclone s5cmd mc azcopy s3cmd unison scp sftp svn hg')
const OUTPUT_OPTION =
  /^(?:-[oODP]|--?(?:out(?:put)?|out[-_]?(?:file|dir)|output[-_]?(?:file|dir|directory|path|document)|dest|destination|dir|directory|target[-_]?dir(?:ectory)?|log[-_]?file|base-?temp|output-dir-(?:flat|mirror)|(?:temp|tmp|cache|backup|user-data|extensions)[-_]?dir|report[-_]?file|separate-git-dir|save[-_]?(?:to|as)))$/i
const FOLDER_OPTION =
  /^(?:-[DP]|--?.*dir(?:ectory)?|--?dest(?:ination)?|--base-?temp|--output-dir-\w+)$|^-o$/i

function splitOption(word: Word): readonly [option: string, value?: Word] {
  const text = textOf(word) ?? ''
  const at = text.indexOf('=')
  const isLong = text.startsWith('--') && at > 0
  // `-o/folder`: behind a single letter.
  const isShort = /^-[oODP][~/.]/.test(text)
  if (isShort) return [text.slice(0, 2), { ...word, forms: word.forms.map(behindLetter) }]
  return isLong ? [text.slice(0, at), afterEquals(word)] : [text]
}

/** What the program gets, whichever way it is quoted; as written where that is known only at run time. */
function textOf(word: Word | undefined): string | undefined {
  return exactText(word) ?? word?.source
}

function behindLetter([first, ...rest]: Form): Form {
  return first?.kind === 'text' ? [{ ...first, text: first.text.slice(2) }, ...rest] : rest
}

/** The value of `--name=value`, or of `NAME=value`. */
export function afterEquals(word: Word): Word {
  const forms = word.forms.map(([first, ...rest]): Form => {
    if (first?.kind !== 'text') return first === undefined ? [] : [first, ...rest]
    return [{ ...first, text: first.text.slice(first.text.indexOf('=') + 1) }, ...rest]
  })
  return { ...word, source: word.source.slice(word.source.indexOf('=') + 1), forms }
}
