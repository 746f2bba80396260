import { optionTable } from '../arguments/options.ts'
import { PLAIN, type Wrapper } from '../programs/aspects/wrapper.ts'

/** Programs that run a command on another machine or in a container. Its paths are those of that place. */

const EXEC: Wrapper = {
  options: optionTable(`
    u|user= w|workdir= e|env= env-file= detach-keys= latest|l preserve-fds= d|detach i|interactive t|tty
    T|no-TTY index= privileged
  `),
  operands: 1,
  remote: true,
  folder: 'workdir',
}
const RUN: Wrapper = {
  options: optionTable(`
    a|attach= c|cpu-shares= e|env= h|hostname= l|label= m|memory= p|publish= u|user= v|volume= w|workdir=
    add-host= annotation= blkio-weight= cap-add= cap-drop= cgroup-parent= cgroupns= cidfile= cpu-period=
    cpu-quota= cpus= cpuset-cpus= cpuset-mems= detach-keys= device= dns= dns-search= entrypoint= env-file=
    expose= gpus= group-add= health-cmd= health-interval= ip= ipc= isolation= kernel-memory= label-file= link=
    log-driver= log-opt= mac-address= memory-swap= mount= name= network|net= network-alias= oom-score-adj=
    pid= pids-limit= platform= pull= restart= runtime= security-opt= shm-size= stop-signal= stop-timeout=
    storage-opt= sysctl= tmpfs= ulimit= userns= uts= volume-driver= volumes-from= secret= pod= arch= os=
    authfile= creds= d|detach i|interactive t|tty T|no-TTY P|publish-all q|quiet init no-healthcheck
    oom-kill-disable privileged read-only rm sig-proxy=? no-deps service-ports build use-aliases rmi
  `),
  operands: 1,
  remote: true,
  folder: 'workdir',
  entry: 'entrypoint',
}
const COMPOSE: Wrapper = {
  options: optionTable(`
    f|file= p|project-name= profile= env-file= project-directory= parallel= ansi= progress= compatibility
    dry-run
  `),
  inert: ['dry-run'],
  verbs: { exec: EXEC, run: RUN },
}
const DOCKER: Wrapper = {
  options: optionTable(`
    H|host= c|context= config= l|log-level= tlscacert= tlscert= tlskey= D|debug tls tlsverify n|namespace=
    address= connection= url= identity= root= runroot= storage-driver= log-level= remote|r
  `),
  verbs: {
    exec: EXEC,
    run: RUN,
    container: { ...PLAIN, verbs: { exec: EXEC, run: RUN } },
    compose: COMPOSE,
    unshare: PLAIN,
  },
}
const KUBE_OPTIONS = `
  n|namespace= context= cluster= user= kubeconfig= s|server= token= as= as-group= request-timeout=
  c|container= f|filename= pod-running-timeout= image= overrides= restart= labels|l= env= port= target=
  profile= copy-to= v= i|stdin t|tty q|quiet rm command expose attach
`
const KUBECTL: Wrapper = {
  options: optionTable(KUBE_OPTIONS),
  verbs: {
    exec: { options: optionTable(KUBE_OPTIONS), operands: 1, separated: true, remote: true },
    rsh: { options: optionTable(KUBE_OPTIONS), operands: 1, separated: true, remote: true },
    run: { options: optionTable(KUBE_OPTIONS), after: ['--'], operands: 1, remote: true },
    debug: { options: optionTable(KUBE_OPTIONS), after: ['--'], operands: 1, remote: true },
  },
}
const INSTANCE: Wrapper = {
  options: optionTable(`
    cwd= env= user= group= mode= n= t|force-interactive T d= w|working-directory= u= a|app= s= r|remote= e= p=
    i
  `),
  operands: 1,
  separated: true,
  remote: true,
}

const PSSH: Wrapper = {
  options: optionTable(
    'h|hosts= H|host= l|user= p|par= o|outdir= e|errdir= t|timeout= O|options= x|extra-args= i|inline v',
  ),
  joins: true,
  remote: true,
}

export const REMOTE_WRAPPERS: Readonly<Record<string, Wrapper>> = {
  docker: DOCKER,
  podman: DOCKER,
  nerdctl: DOCKER,
  'docker-compose': COMPOSE,
  'podman-compose': COMPOSE,
  crictl: {
    options: optionTable('r|runtime-endpoint= i|image-endpoint= t|timeout= c|config= D|debug'),
    verbs: { exec: EXEC },
  },
  kubectl: KUBECTL,
  oc: KUBECTL,
  lxc: { ...PLAIN, verbs: { exec: INSTANCE } },
  incus: { ...PLAIN, verbs: { exec: INSTANCE } },
  'lxc-attach': {
    options: optionTable('n|name= u|uid= g|gid= v|set-var= e|elevated-privileges=? clear-env'),
    remote: true,
  },
  multipass: { ...PLAIN, verbs: { exec: INSTANCE } },
  nomad: {
    ...PLAIN,
    verbs: {
      alloc: {
        ...PLAIN,
        verbs: { exec: { options: optionTable('task= job i t e='), operands: 1, remote: true } },
      },
    },
  },
  buildah: { ...PLAIN, verbs: { run: INSTANCE } },
  limactl: {
    ...PLAIN,
    verbs: { shell: { options: optionTable('workdir= shell='), operands: 1, remote: true } },
  },
  colima: {
    options: optionTable('p|profile='),
    verbs: { ssh: { options: optionTable('p|profile='), separated: true, remote: true } },
  },
  minikube: {
    options: optionTable('p|profile='),
    verbs: {
      ssh: { options: optionTable('n|node= p|profile='), separated: true, joins: true, remote: true },
    },
  },
  vagrant: {
    ...PLAIN,
    verbs: {
      ssh: { options: optionTable('c|command= p|plain'), operands: 1, code: 'command', remote: true },
    },
  },
  adb: {
    options: optionTable('s= t= H= P= L= d e a'),
    verbs: { shell: { options: optionTable('e= n T t x'), joins: true, remote: true } },
  },
  heroku: {
    ...PLAIN,
    verbs: {
      run: {
        options: optionTable('a|app= r|remote= s|size= type= e|env= x|exit-code no-tty no-notify'),
        joins: true,
        remote: true,
      },
    },
  },
  fly: {
    ...PLAIN,
    verbs: {
      ssh: {
        ...PLAIN,
        verbs: {
          console: {
            options: optionTable('C|command= a|app= u|user= s|select r|region= machine= g='),
            code: 'command',
            remote: true,
          },
        },
      },
    },
  },
  mosh: {
    options: optionTable('ssh= p|port= client= server= predict= 4 6'),
    operands: 1,
    separated: true,
    remote: true,
  },
  pdsh: { options: optionTable('w= x= l= f= R= t= u= g='), joins: true, remote: true },
  pssh: PSSH,
  'parallel-ssh': PSSH,
  'flatpak-spawn': {
    options: optionTable('env= directory= host clear-env watch-bus sandbox forward-fd='),
    folder: 'directory',
  },
  toolbox: { ...PLAIN, verbs: { run: { options: optionTable('c|container= d|distro= r|release=') } } },
  distrobox: { ...PLAIN, verbs: { enter: { options: optionTable('n|name= e'), after: ['--', '-e'] } } },
  machinectl: {
    ...PLAIN,
    verbs: { shell: { options: optionTable('uid= setenv= E='), operands: 1, remote: true } },
  },
  wsl: { options: optionTable('d|distribution= u|user= cd= e|exec shell-type='), folder: 'cd' },
  'wsl.exe': { options: optionTable('d|distribution= u|user= cd= e|exec shell-type='), folder: 'cd' },
}
