import { valuesOf } from '../../arguments/options.ts'
import {
  type Certainty,
  certainly,
  isGiven,
  someWord,
  strongerOf,
  type VerbCall,
  type VerbProgram,
  valueIs,
  weakerOf,
} from '../../arguments/verbs.ts'
import { exactTexts, type Word } from '../../words/words.ts'
import { PLAIN, type Wrapper } from '../aspects/wrapper.ts'
import { ACCESS } from '../clouds/acts.ts'
import { PUBLISH } from '../packages/acts.ts'
import { each, type ProgramTable } from '../program.ts'
import {
  CONFIGURE_KUBERNETES,
  ESCAPE as CONTAINER_ESCAPE,
  DELETE_KUBERNETES,
  DESTROY_CLUSTER,
} from './acts.ts'

const GRANT = { ...ACCESS, what: 'gives somebody rights over the whole cluster' }
const ESCAPE = {
  ...CONTAINER_ESCAPE,
  what: 'starts a container with the rights or the files of the whole node',
}

/** With everything that belongs to it, or that nothing brings back. */
const WHOLE =
  /^(ns|namespaces?|projects?|pv|persistentvolumes?|pvc|persistentvolumeclaims?|crds?|customresourcedefinitions?|storageclass(es)?|sc|clusters?|all)(\.|\/|,|$)/i

const KUBECTL: VerbProgram = {
  options: `
    n|namespace= context= cluster= user= kubeconfig= server= s|server= token= as= as-group= as-uid= cache-dir=
    certificate-authority= client-certificate= client-key= request-timeout= tls-server-name= v|v= vmodule=
    profile= profile-output= log-file= l|selector= f|filename= k|kustomize= o|output= field-selector=
    field-manager= type= p|patch= patch-file= subresource= template= c|container= cascade=? grace-period=
    timeout= replicas= current-replicas= resource-version= raw= clusterrole= role= serviceaccount= group=
    image= overrides= override-type= restart= env= port= dry-run=? all A|all-namespaces force now wait=? prune
    prune-allowlist= R|recursive ignore-not-found=? i|stdin t|tty w|watch h|help delete-emptydir-data
    ignore-daemonsets pod-selector= disable-eviction privileged match-server-version
    insecure-skip-tls-verify=?
  `,
  dryRun: 'dry-run',
  harmless: `
    get describe logs apply exec port-forward top version config rollout create explain api-resources
    cluster-info diff wait cp label annotate edit auth cordon
  `,
  rules: [
    ['delete', DESTROY_CLUSTER, { when: takesWhole }],
    ['delete', DELETE_KUBERNETES],
    ['drain', DELETE_KUBERNETES],
    ['replace', DELETE_KUBERNETES, { given: 'force' }],
    ['apply', DELETE_KUBERNETES, { surely: 'prune' }],
    ['scale', DELETE_KUBERNETES, { value: [/^0$/, 'replicas'] }],
    [
      'patch',
      DELETE_KUBERNETES,
      {
        when: ({ read }) =>
          onlySure(
            valueIs(read, /"replicas"\s*:\s*0\b|"finalizers"\s*:\s*(?:null|\[\s*\])|\/finalizers"/, 'patch'),
          ),
      },
    ],
    ['taint', DELETE_KUBERNETES, { word: /:NoExecute$/ }],
    ['adm|oadm prune|drain', DELETE_KUBERNETES],
    ['config delete-context|delete-cluster|delete-user|unset', CONFIGURE_KUBERNETES],
    ['create clusterrolebinding', GRANT, { value: [/admin/, 'clusterrole'] }],
    ['adm policy', GRANT],
    ['run', ESCAPE, { when: asksForHost }],
    ['debug', ESCAPE, { word: /^nodes?\// }],
  ],
}

/** `delete ns prod`, `delete pvc/data`, `delete pods --all`, `delete -A …`; a kind that is not known may be one. */
function takesWhole({ read, rest }: VerbCall): Certainty {
  const all = isGiven(read, 'all')
  const kinds = rest.map((word, index) => (index === 0 ? kindIs(word) : someWord([word], SLASHED)))
  return strongerOf(
    all,
    ...kinds,
    weakerOf(isGiven(read, 'all-namespaces'), certainly(valuesOf(read, 'selector').length === 0)),
  )
}

const SLASHED = new RegExp(WHOLE.source.replace('(\\.|\\/|,|$)', '(\\.[\\w.]+)?\\/'), 'i')

/** The first word is a kind, several kinds with commas, or `kind/name`. */
function kindIs(word: Word): Certainty {
  const texts = exactTexts(word)
  if (texts.some((text) => text.split(',').some((kind) => WHOLE.test(kind)))) return 'yes'
  return texts.length < word.forms.length && !word.forms.every(startsWithKind) ? 'maybe' : 'no'
}

/** `pod/$NAME`, and what another command printed: names, mostly. */
function startsWithKind(form: Word['forms'][number]): boolean {
  const [first] = form
  return first?.kind === 'text' ? first.text.includes('/') : /^(\$\(|standard input)/.test(first?.text ?? '')
}

/** A text that is put together at run time is no hint by itself. */
function onlySure(certainty: Certainty): Certainty {
  return certainty === 'maybe' ? 'no' : certainty
}

function asksForHost({ read }: VerbCall): Certainty {
  const text = valuesOf(read, 'overrides').flatMap(exactTexts).join(' ')
  const wanted = /"(hostPID|hostNetwork|hostIPC|privileged)"\s*:\s*true|"hostPath"/.test(text)
  return certainly(wanted || isGiven({ ...read, doubtful: [] }, 'privileged') === 'yes')
}

const KUBE_OPTIONS = `
  n|namespace= context= cluster= user= kubeconfig= s|server= token= as= as-group= request-timeout=
  c|container= f|filename= pod-running-timeout= image= overrides= restart= labels|l= env= port= target=
  profile= copy-to= v= i|stdin t|tty q|quiet rm command expose attach
`
const KUBECTL_RUNS: Wrapper = {
  options: KUBE_OPTIONS,
  verbs: {
    exec: { options: KUBE_OPTIONS, operands: 1, separated: true, remote: true },
    rsh: { options: KUBE_OPTIONS, operands: 1, separated: true, remote: true },
    run: { options: KUBE_OPTIONS, after: '--', operands: 1, remote: true },
    debug: { options: KUBE_OPTIONS, after: '--', operands: 1, remote: true },
  },
}

const COMMON = `
  e|environment= l|selector= n|namespace= kube-context= kubeconfig= context= server= auth-token= timeout=
  o|output= f|values= set= version= revision= cascade= dry-run=? h|help wait y|yes purge kube-apiserver=
  kube-token= registry-config= repository-config= address= region= force
`

const HELM: VerbProgram = {
  options: COMMON,
  dryRun: 'dry-run',
  harmless: 'list ls get status install upgrade template repo history show lint',
  rules: [
    ['uninstall|delete|del|un', DELETE_KUBERNETES],
    ['push', PUBLISH],
  ],
}

function deletes(...verbs: readonly string[]): VerbProgram {
  return {
    options: COMMON,
    dryRun: 'dry-run',
    rules: verbs.map((each) => [each, DELETE_KUBERNETES]),
  }
}

const WITH_KUBECTL: VerbProgram = { options: 'h|help', nested: { kubectl: KUBECTL }, rules: [] }

/** Names, labels and kinds are no secrets; every other part, and all of it, may be. */
const SHOWS_DATA =
  / (-o|--output)[ =]?(json(?!path)|yaml|(?:go-template|jsonpath)(?!=\{(?:\.items\[\*\])?\.(?:metadata\.(?:name|namespace|labels|uid)|type)\} )|custom-columns\S*data)| --template[ =]/
const files = { loads: /^(?:-f|--filename|--from-file|-k)$/ }

/** Clusters and what is deployed into them. `k` is what nearly everybody calls kubectl. */
export const KUBERNETES: ProgramTable = {
  kubectl: {
    acts: KUBECTL,
    wraps: KUBECTL_RUNS,
    files,
    credentials: [
      ['secrets of the cluster', /\bget (\S+,)?secrets?\b/, SHOWS_DATA],
      ['the keys of the cluster', /\bconfig view\b/, / --raw /],
      ['a token of the cluster', /\bcreate token\b/],
    ],
  },
  oc: {
    acts: KUBECTL,
    wraps: KUBECTL_RUNS,
    files,
    credentials: [
      ['secrets of the cluster', /\bget (\S+,)?secrets?\b/, SHOWS_DATA],
      ['a token of the cluster', /^whoami\b/, / (-t|--show-token) /],
      ['secrets of the cluster', /^(extract|sa get-token|create token)\b/],
    ],
  },
  ...each<VerbProgram>((acts) => ({ acts }), {
    'k kubecolor': KUBECTL,
    helm3: HELM,
    microk8s: { ...WITH_KUBECTL, rules: [['reset', DESTROY_CLUSTER]] },
    kind: deletes('delete clusters'),
    helmfile: deletes('destroy|delete'),
    skaffold: deletes('delete'),
    k3d: deletes('cluster|node|registry delete'),
    argocd: deletes('app|appset|proj|cluster|repo delete|rm', 'app delete-resource'),
    flux: deletes('uninstall', 'delete'),
    istioctl: deletes('uninstall', 'x uninstall'),
    kubeadm: { options: COMMON, dryRun: 'dry-run', rules: [['reset', DESTROY_CLUSTER]] },
    velero: { options: COMMON, rules: [['* delete', DESTROY_CLUSTER]] },
  }),
  helm: { acts: HELM, files: { loads: /^(?:-f|--values|--set-file)$/, keys: /^--kube-token$/ } },
  k3s: { acts: WITH_KUBECTL, files },
  minikube: {
    acts: {
      ...WITH_KUBECTL,
      rules: [
        [
          'delete',
          DELETE_KUBERNETES,
          {
            when: ({ read }) =>
              certainly(read.options.some(({ name }) => name === 'all' || name === 'purge')),
          },
        ],
      ],
    },
    wraps: {
      options: 'p|profile=',
      verbs: {
        ssh: { options: 'n|node= p|profile=', separated: true, joins: true, remote: true },
      },
    },
  },
  nomad: {
    acts: {
      options: COMMON,
      singleDash: true,
      rules: [
        ['job stop', DELETE_KUBERNETES, { surely: 'purge' }],
        ['namespace|volume|system delete|gc', DELETE_KUBERNETES],
      ],
    },
    wraps: {
      ...PLAIN,
      verbs: {
        alloc: {
          ...PLAIN,
          verbs: { exec: { options: 'task= job i t e=', operands: 1, remote: true } },
        },
      },
    },
  },
}
