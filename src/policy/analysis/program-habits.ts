import { diffFiles } from '../../core/patch.ts'
import { wordSet } from '../../core/word-list.ts'
import type { SimpleCommand } from '../../shell/vocabulary/command.ts'
import { exactForm, exactText, exactWord, type Form, type Word } from '../../shell/words/words.ts'

/** Programs that only read their arguments, or change only the files that they name as output. */
export const READERS = wordSet(`
  cat head tail less more bat batcat wc ls stat file test [ [[ jq yq nl tac cut paste fold fmt tr awk gawk
  mawk sed grep egrep fgrep zgrep rg ag ack diff cmp comm delta colordiff md5sum sha1sum sha256sum
  sha512sum shasum cksum b2sum tree du find fd cd pushd realpath readlink dirname basename sort uniq column
  xxd od hexdump strings source . cp install rsync scp ditto tee dd git tar zip gzip bzip2 xz zstd curl wget
  base64 open xdg-open code pygmentize
`)

/** These change their arguments, even if only the name or the permissions change. */
export const CHANGERS = wordSet(`
  mv rm rmdir unlink shred truncate chmod chown chgrp chattr setfacl ln trash trash-put mount umount chflags
  xattr setcap rename prename perl-rename file-rename mmv zmv vidir
`)

const INTERPRETERS =
  /^(?:python[\d.]*|pypy[\d.]*|py|node|nodejs|deno|bun|ruby|perl|php|lua|Rscript|osascript|pwsh|powershell)$/

/** Words in code that change a file, or run something that may change one. */
const CHANGING =
  /write|append|unlink|remove|rename|replace|rmtree|rmdir|\brm|truncate|ch(?:mod|own)|move|copy|link|dump|save|put_|touch|delete|edit|exec|spawn|system|popen|subprocess|eval|['"][wax]b?\+?['"]|['"]r\+b?['"]|>/i

/** Inline code without any such word only reads the paths that it contains. */
export function readsInline(command: SimpleCommand): boolean {
  if (!INTERPRETERS.test(command.name ?? '')) return false
  const inline = command.args.some((word) => /^-\w*[cerpE]$|^--(?:eval|print)$|^-$/.test(word.source))
  const given = command.redirections.some(({ operator }) => operator.startsWith('<<'))
  if (inline || given) return !CHANGING.test(command.fragment)
  // The code of a script that is known: the line itself says only its name.
  const code = command.inline?.code.map((form) => form.map((piece) => piece.text).join('')).join('\n')
  return code !== undefined && !CHANGING.test(code)
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
    return args
      .slice(1)
      .filter((_, at) => textOf(args[at]) === '-f')
      .map((word) => ({ word, fills: false }))
  }
  if (name === 'git') {
    return args
      .filter((word) => textOf(word)?.startsWith('--prefix=') === true)
      .map((word) => ({ word: afterEquals(word), fills: true }))
  }
  if (!/^[gmn]?awk$/.test(name)) return []
  return args.flatMap((word) => {
    const code = exactForm(word.forms[0] ?? []) ?? ''
    if (!code.includes('>')) return []
    const texts = [...code.matchAll(/"((?:[^"\\]|\\.)*\/(?:[^"\\]|\\.)*)"/g)].map(([, text = '']) => text)
    return texts.map((text) => ({ word: exactWord(text), fills: false }))
  })
}

/** Their `-o` and `-d` mean something else. */
const LOOKERS = wordSet(
  'grep egrep fgrep zgrep rg ag ack ls ps ssh find fd tree du cat git-grep stat test set mount',
)
const SYNCERS = wordSet('aws gsutil gcloud rclone s5cmd mc azcopy s3cmd unison scp sftp svn hg')
const OUTPUT_OPTION =
  /^(?:-[oODP]|--?(?:out(?:put)?|out[-_]?(?:file|dir)|output[-_]?(?:file|dir|directory|path|document)|dest|destination|dir|directory|target[-_]?dir(?:ectory)?|log[-_]?file|report[-_]?file|separate-git-dir|save[-_]?(?:to|as)))$/i
const FOLDER_OPTION = /^(?:-[DP]|--?.*dir(?:ectory)?|--?dest(?:ination)?)$|^-o$/i

function splitOption(word: Word): readonly [option: string, value?: Word] {
  const text = textOf(word) ?? ''
  const at = text.indexOf('=')
  const isLong = text.startsWith('--') && at > 0
  return isLong ? [text.slice(0, at), afterEquals(word)] : [text]
}

/** What the program gets, whichever way it is quoted; as written where that is known only at run time. */
function textOf(word: Word | undefined): string | undefined {
  return exactText(word) ?? word?.source
}

/** The value of `--name=value`, or of `NAME=value`. */
export function afterEquals(word: Word): Word {
  const forms = word.forms.map(([first, ...rest]): Form => {
    if (first?.kind !== 'text') return first === undefined ? [] : [first, ...rest]
    return [{ ...first, text: first.text.slice(first.text.indexOf('=') + 1) }, ...rest]
  })
  return { ...word, source: word.source.slice(word.source.indexOf('=') + 1), forms }
}
