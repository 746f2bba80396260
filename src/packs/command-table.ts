/** What programs do with the files they are given. Data only; a program in none of these reads its arguments. */

/** Arguments are text, not files. */
export const DATA_ONLY: ReadonlySet<string> = new Set([
  ...[
    'echo',
    'printf',
    'true',
    'false',
    ':',
    'exit',
    'return',
    'export',
    'declare',
    'local',
    'readonly',
    'typeset',
  ],
  ...[
    'unset',
    'set',
    'shift',
    'sleep',
    'kill',
    'which',
    'type',
    'hash',
    'alias',
    'trap',
    'eval',
    'date',
    'seq',
    'expr',
  ],
  ...['read', 'basename', 'dirname', 'logger', 'say'],
])

/** Whether a file is there, its size, its rights, its name: never what is in it. */
export const METADATA_ONLY: ReadonlySet<string> = new Set([
  ...[
    'ls',
    'll',
    'exa',
    'eza',
    'tree',
    'stat',
    'file',
    'du',
    'df',
    'wc',
    'test',
    '[',
    'realpath',
    'readlink',
    'cd',
    'pushd',
  ],
  ...[
    'mkdir',
    'chmod',
    'chown',
    'chgrp',
    'chattr',
    'lsattr',
    'getfacl',
    'setfacl',
    'find',
    'fd',
    'fdfind',
    'locate',
  ],
  ...[
    'md5sum',
    'sha1sum',
    'sha256sum',
    'sha512sum',
    'shasum',
    'cksum',
    'ssh-add',
    'ssh-keygen',
    'mktemp',
    'lsof',
  ],
])

/** The first operand is a pattern or a program, the rest are files. */
export const PATTERN_FIRST: ReadonlySet<string> = new Set([
  ...[
    'grep',
    'egrep',
    'fgrep',
    'zgrep',
    'rg',
    'ag',
    'ack',
    'sed',
    'gsed',
    'awk',
    'gawk',
    'mawk',
    'jq',
    'yq',
    'tr',
  ],
])

/** Every operand is changed, made or removed. */
export const WRITES_ALL: ReadonlySet<string> = new Set([
  ...['touch', 'tee', 'truncate', 'rm', 'unlink', 'shred', 'rmdir', 'trash'],
])

/** The last operand is written, the others are read. */
export const WRITES_LAST: ReadonlySet<string> = new Set([
  'cp',
  'mv',
  'install',
  'ln',
  'rsync',
  'scp',
  'ditto',
])

const SSH = /^-[ioFE]/

/** The options by which a program is given a key to use; it does not show it. */
export const KEY_OPTIONS: ReadonlyMap<string, RegExp> = new Map([
  ['ssh', SSH],
  ['scp', SSH],
  ['sftp', SSH],
  ['mosh', SSH],
  ['ssh-copy-id', SSH],
  ['ansible', /^--(private-key|key-file)$/],
  ['ansible-playbook', /^--(private-key|key-file)$/],
  ['kubectl', /^--(kubeconfig|client-key)$/],
  ['helm', /^--(kubeconfig|kube-token)$/],
  ['k9s', /^--kubeconfig$/],
  ['curl', /^(--key|--cert|-E)$/],
  ['docker', /^--tls(key|cert)$/],
  ['psql', /^--sslkey$/],
])

/** Programs that take code as an argument; what it quotes may be a file. */
export const INTERPRETERS =
  /^(python[\d.]*|pypy[\d.]*|node|nodejs|deno|bun|ruby|perl|php|lua|Rscript|osascript)$/
