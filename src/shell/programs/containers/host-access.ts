import { valuesOf } from '../../arguments/options.ts'
import {
  type Certainty,
  certainly,
  isGiven,
  strongerOf,
  type VerbCall,
  valueIs,
} from '../../arguments/verbs.ts'
import { exactText, type Word } from '../../words/words.ts'

/** The options of `docker run`: those with a value must be known to find the image. */
export const RUN_OPTIONS = `
  v|volume= mount= privileged=? pid= cap-add= device= security-opt= userns= uts= p|publish= e|env= env-file=
  u|user= w|workdir= name= entrypoint= h|hostname= l|label= m|memory= cpus= network|net= ipc= restart=
  platform= pull= add-host= dns= gpus= ulimit= volumes-from= volume-driver= cap-drop= tmpfs= shm-size=
  log-driver= log-opt= link= expose= cidfile= stop-signal= stop-timeout= a|attach= c|cpu-shares= group-add=
  cpuset-cpus= health-cmd= runtime= sysctl= isolation= detach-keys= label-file= annotation= rm i|interactive
  t|tty d|detach init read-only P|publish-all q|quiet no-healthcheck service-ports no-deps T|no-TTY
  use-aliases quiet-pull build help cgroupns=
`

/** `--privileged`, the host's own processes or kernel, or a folder from which the whole machine can be changed. */
export function reachesHost({ read, rest }: VerbCall): Certainty {
  const asked = strongerOf(
    isGiven({ ...read, doubtful: [] }, 'privileged'),
    onlyExact(valueIs(read, /^host$/, 'pid', 'userns', 'uts')),
    onlyExact(
      valueIs(read, /^(CAP_)?(ALL|SYS_ADMIN|SYS_PTRACE|SYS_MODULE|SYS_RAWIO|DAC_READ_SEARCH)$/i, 'cap-add'),
    ),
    onlyExact(valueIs(read, /^\/dev\/(sd|nvme|vd|xvd|mem|kmem|dm-|disk)/, 'device')),
    certainly(valuesOf(read, 'volume').some((word) => isHostFolder(volumeSource(word)))),
    certainly(valuesOf(read, 'mount').some((word) => isHostFolder(mountSource(word)))),
  )
  // What stands before the image may still be `--privileged`.
  return asked === 'no' && rest.length > 1 ? isGiven(read, 'privileged') : asked
}

/** A value that is not known is a choice of the person's, not a doubt. */
function onlyExact(certainty: Certainty): Certainty {
  return certainty === 'maybe' ? 'no' : certainty
}

const HOST_FOLDER =
  /^\/(etc|root|boot|proc|sys|dev|bin|sbin|usr|lib(32|64)?|var|home)?\/*$|^\/(var\/)?run(\/.*)?\/(docker|containerd|podman|crio)\.sock$|^\/var\/(run|lib\/(docker|kubelet|containerd))\/?$|^\/etc\/(shadow|passwd|sudoers|cron)|^\/root\/\.ssh/

function isHostFolder(text: string): boolean {
  return HOST_FOLDER.test(
    text
      .replace(/\/\.(?=\/|$)/g, '')
      .replace(/\/{2,}/g, '/')
      .replace(/^$/, ' '),
  )
}

function volumeSource(word: Word): string {
  const text = exactText(word) ?? knownStart(word)
  const [source = '', target] = text.replace(/^=/, '').split(':')
  return target === undefined ? '' : source
}

function mountSource(word: Word): string {
  const text = exactText(word) ?? knownStart(word)
  return /(?:^|,)(?:source|src)=([^,]*)/.exec(text)?.[1] ?? ''
}

function knownStart(word: Word): string {
  const [first] = word.forms[0] ?? []
  return first?.kind === 'text' ? first.text : ''
}
