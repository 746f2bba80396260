import type { SimpleCommand } from '../shell/command.ts'
import { exactForm } from '../shell/words.ts'

/** Programs that only look at what they are given, or change only what they say they write. */
export const READERS: ReadonlySet<string> = new Set([
  ...['cat', 'head', 'tail', 'less', 'more', 'bat', 'batcat', 'wc', 'ls', 'stat', 'file', 'test', '[', '[['],
  ...['jq', 'yq', 'nl', 'tac', 'cut', 'paste', 'fold', 'fmt', 'tr', 'awk', 'gawk', 'mawk', 'sed', 'gsed'],
  ...['grep', 'egrep', 'fgrep', 'zgrep', 'rg', 'ag', 'ack', 'diff', 'cmp', 'comm', 'delta', 'colordiff'],
  ...['md5sum', 'sha1sum', 'sha256sum', 'sha512sum', 'shasum', 'cksum', 'b2sum', 'tree', 'du', 'find', 'fd'],
  ...['cd', 'pushd', 'realpath', 'readlink', 'dirname', 'basename', 'sort', 'uniq', 'column', 'xxd', 'od'],
  ...['hexdump', 'strings', 'source', '.', 'cp', 'install', 'rsync', 'scp', 'ditto', 'tee', 'dd', 'git'],
  ...[
    'tar',
    'zip',
    'gzip',
    'bzip2',
    'xz',
    'zstd',
    'curl',
    'wget',
    'base64',
    'open',
    'xdg-open',
    'code',
    'pygmentize',
  ],
])

/** These change what they name, also where only its name or its rights are touched. */
export const CHANGERS: ReadonlySet<string> = new Set([
  ...[
    'mv',
    'rm',
    'rmdir',
    'unlink',
    'shred',
    'truncate',
    'chmod',
    'chown',
    'chgrp',
    'chattr',
    'setfacl',
    'ln',
  ],
  ...['trash', 'trash-put', 'mount', 'umount', 'chflags', 'xattr', 'setcap'],
])

const INTERPRETERS =
  /^(?:python[\d.]*|pypy[\d.]*|py|node|nodejs|deno|bun|ruby|perl|php|lua|Rscript|osascript|pwsh|powershell)$/

/** Words by which code changes a file or runs something that may. */
const CHANGING =
  /write|append|unlink|remove|rename|replace|rmtree|rmdir|\brm|truncate|ch(?:mod|own)|move|copy|link|dump|save|put_|touch|delete|edit|exec|spawn|system|popen|subprocess|eval|['"][wax]b?\+?['"]|['"]r\+b?['"]|>/i

/** Inline code that has no word for changing anything only reads what it quotes. */
export function readsInline(command: SimpleCommand): boolean {
  if (!INTERPRETERS.test(command.name ?? '')) return false
  const inline = command.args.some((word) => /^-\w*[cerpE]$|^--(?:eval|print)$|^-$/.test(word.source))
  const given = command.redirections.some(({ operator }) => operator.startsWith('<<'))
  return (inline || given) && !CHANGING.test(command.fragment)
}

/** A formatter or linter that is told to change nothing, or one that never does. */
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

const CHECKERS = new Set([
  'shellcheck',
  'yamllint',
  'jsonlint',
  'eslint',
  'ajv',
  'check-jsonschema',
  'taplo',
  'tsc',
])

/** A container may take away what is mounted in it, unless that is only to be read. */
export function mountsToChange({ name = '', fragment }: SimpleCommand): boolean {
  return /^(?:docker|podman|nerdctl)$/.test(name) && !/:ro\b|readonly/.test(fragment)
}

/** `sed -i`, `perl -pi`, `yq -i`: the files are read and written back. */
export function editsInPlace({ name = '', args }: SimpleCommand): boolean {
  if (!EDITORS.test(name)) return false
  return args.some((word) => /^(?:-[a-zA-Z]*i|--in-?place|inplace$)/.test(word.source))
}

const EDITORS = /^(?:g?sed|perl|ruby|[gm]?awk|yq|jq|sd)$/

/** The files that a diff given to `patch` or `git apply` in the command line would change. */
export function changedByDiff(command: SimpleCommand): readonly string[] {
  const isPatch = command.name === 'patch'
  const isApply = command.name === 'git' && command.args.some((word) => /^(?:apply|am)$/.test(word.source))
  if (!isPatch && !isApply) return []
  const given = command.redirections.filter(({ operator }) => operator.startsWith('<<'))
  const texts = given.flatMap(({ target }) => target.forms.map((form) => exactForm(form) ?? ''))
  const names = texts.flatMap((text) => [
    ...text.matchAll(/^(?:\+\+\+|---|rename to) (?:[ab]\/)?([^\t\n]+)/gm),
  ])
  return [...new Set(names.map((found) => found[1] ?? ''))].filter(
    (name) => name !== '' && name !== '/dev/null',
  )
}
