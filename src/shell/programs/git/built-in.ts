import { wordSet } from '../../../core/word-list.ts'

/** Settings whose value git runs as a program. */
export const EXECUTED_SETTINGS = new RegExp(
  `^(?:${[
    'core\\.(pager|editor|sshcommand|askpass|fsmonitor|gitproxy|alternaterefscommand)',
    'pager\\..+',
    'sequence\\.editor',
    'diff\\.external',
    'diff\\..+\\.(command|textconv)',
    'merge\\..+\\.driver',
    '(merge|diff)tool\\..+\\.cmd',
    'filter\\..+\\.(clean|smudge|process)',
    'credential\\.(.+\\.)?helper',
    'gpg\\.(.+\\.)?program',
    'gpg\\.ssh\\.defaultkeycommand',
    'interactive\\.difffilter',
    'uploadpack\\.packobjectshook',
    'remote\\..+\\.(uploadpack|receivepack)',
    'browser\\..+\\.cmd',
    'man\\..+\\.cmd',
    'trailer\\..+\\.(command|cmd)',
    'hook\\..+\\.command',
    'tar\\..+\\.command',
    'sendemail\\.(.+\\.)?(sendmailcmd|tocmd|cccmd|headercmd)',
  ].join('|')})$`,
  'i',
)

/** The verbs an alias cannot take the place of. */
export const BUILT_IN = wordSet(`
  add am annotate apply archive bisect blame branch bugreport bundle cat-file check-attr check-ignore
  check-mailmap check-ref-format checkout checkout-index cherry cherry-pick clean clone column commit
  commit-graph commit-tree config count-objects credential credential-cache credential-store daemon describe
  diagnose diff diff-files diff-index diff-tree difftool fast-export fast-import fetch fetch-pack
  filter-branch fmt-merge-msg for-each-ref for-each-repo format-patch fsck fsck-objects gc get-tar-commit-id
  grep hash-object help hook http-backend http-fetch http-push imap-send index-pack init init-db instaweb
  interpret-trailers log ls-files ls-remote ls-tree mailinfo mailsplit maintenance merge merge-base merge-file
  merge-index merge-octopus merge-one-file merge-ours merge-recursive merge-resolve merge-subtree merge-tree
  mergetool mktag mktree multi-pack-index mv name-rev notes pack-objects pack-redundant pack-refs patch-id
  pickaxe prune prune-packed pull push quiltimport range-diff read-tree rebase receive-pack reflog remote
  repack replace request-pull remote-ext remote-fd rerere reset restore rev-list rev-parse revert rm send-pack shell shortlog show
  show-branch show-index show-ref sparse-checkout stage stash status stripspace submodule submodule--helper subtree switch
  symbolic-ref tag unpack-file unpack-objects update-index update-ref update-server-info upload-archive
  upload-pack var verify-commit verify-pack verify-tag version web--browse whatchanged worktree write-tree
`)
