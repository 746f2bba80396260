import { isGiven, strongerOf, type VerbCall, type VerbProgram, type VerbRule } from '../../arguments/verbs.ts'
import { each, type ProgramTable } from '../program.ts'
import { FOREIGN, REMOVE_PACKAGE } from './acts.ts'

const OPTIONS = `
  o|option= c|config-file= t|target-release|default-release= a|host-architecture= root= arch= enablerepo=
  disablerepo= x|exclude= installroot= setopt= releasever= d e R C s|simulate|just-print|dry-run|no-act|recon
  n|dry-run y|yes|assume-yes|assumeyes q|quiet m f|force purge auto-remove help version assumeno print test
  all unused cask formula zap delete-data erase unmerge depclean p|pretend remove r|remove P|purge l i L S Q
`

function remover(...verbs: readonly string[]): VerbProgram {
  return withRules(verbs.map((each) => [each, REMOVE_PACKAGE]))
}

function withRules(rules: readonly VerbRule[]): VerbProgram {
  return {
    options: OPTIONS,
    inert: 'help version assumeno print test',
    dryRun: 'dry-run recon pretend',
    harmless: 'install update upgrade list search show info',
    rules,
  }
}

const APT = remover('remove|purge|autoremove|autopurge')
const DNF = remover('remove|erase|autoremove|rm')
/** `-R`, `-Rns` and `--remove` are what a verb is elsewhere. */
const byOption = (...names: readonly string[]): VerbProgram => {
  const options = `
    s simulate no-act dry-run p|print|pretend test n u c v|verbose a d noconfirm R|remove|r P|purge
    e|erase|uninstall C|unmerge depclean h|help version root= dbpath= y S Q i l L F U q f k nodeps G w
    delete-old delete-generations=
  `
  const when = ({ read }: VerbCall) =>
    strongerOf(...names.map((name) => isGiven({ ...read, doubtful: [] }, name)))
  const inert = 'help version simulate no-act dry-run pretend test print'
  return { options, inert, rules: [['', REMOVE_PACKAGE, { when }]] }
}

/** Programs that install software for the whole machine. */
export const SYSTEM_PACKAGES: ProgramTable = {
  ...each<VerbProgram>((acts) => ({ acts }), {
    'apt apt-get aptitude nala': APT,
    microdnf: DNF,
    pkg: remover('delete|remove|autoremove|uninstall'),
    flatpak: remover('uninstall|remove'),
    port: remover('uninstall'),
    choco: remover('uninstall'),
    winget: remover('uninstall|remove|rm'),
    scoop: remover('uninstall'),
    dpkg: byOption('r', 'purge'),
    'pacman yay paru': byOption('r'),
    emerge: byOption('unmerge', 'depclean'),
    'nix-env': byOption('uninstall'),
    'nix-collect-garbage': {
      options: 'd|delete-old delete-older-than= dry-run help',
      dryRun: 'dry-run',
      rules: [['', REMOVE_PACKAGE, { surely: 'delete-old' }]],
    },
  }),
  'dnf yum zypper': { acts: DNF, lines: [[FOREIGN, /(?:\binstall\b|-[a-zA-Z]*[iU]\b).*\s(?:https?|ftp):/]] },
  apk: {
    acts: remover('del'),
    lines: [[FOREIGN, /\badd\b.*--allow-untrusted|\badd\b.*(?:-X|--repository)[ =]http/]],
  },
  snap: { acts: remover('remove'), lines: [[FOREIGN, /\binstall\b.*--dangerous/]] },
  brew: {
    acts: remover('uninstall|remove|rm|autoremove'),
    lines: [[FOREIGN, /^(?:install|reinstall|upgrade)\b.*\shttps?:|^tap\s+\S+\s+(?:https?:|git@)/]],
  },
  rpm: {
    acts: byOption('uninstall'),
    lines: [[FOREIGN, /(?:\binstall\b|-[a-zA-Z]*[iU]\b).*\s(?:https?|ftp):/]],
  },
}
