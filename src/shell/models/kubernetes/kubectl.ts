import { wordList } from '../../../core/word-list.ts'
import { optionTable, valuesOf } from '../../arguments/options.ts'
import {
  type Certainty,
  certainly,
  isGiven,
  strongerOf,
  type VerbCall,
  type VerbProgram,
  valueIs,
  weakerOf,
} from '../../arguments/verbs.ts'
import type { ActEffect } from '../../vocabulary/effect.ts'
import { exactTexts, type Word } from '../../words/words.ts'

export const DELETE_KUBERNETES: ActEffect = {
  kind: 'remote-mutate',
  act: 'kubernetes/delete',
  what: 'removes or stops something that runs in a cluster',
}
export const DESTROY_CLUSTER: ActEffect = {
  kind: 'data-destroy',
  act: 'kubernetes/destroy',
  what: 'deletes a whole namespace, volume or kind of thing in a cluster, with everything in it',
}
const GRANT: ActEffect = {
  kind: 'privilege',
  act: 'cloud/access',
  what: 'gives somebody rights over the whole cluster',
}
const ESCAPE: ActEffect = {
  kind: 'privilege',
  act: 'privilege/container-escape',
  what: 'starts a container with the rights or the files of the whole node',
}

/** With everything that belongs to it, or that nothing brings back. */
const WHOLE =
  /^(ns|namespaces?|projects?|pv|persistentvolumes?|pvc|persistentvolumeclaims?|crds?|customresourcedefinitions?|storageclass(es)?|sc|clusters?|all)(\.|\/|,|$)/i

export const KUBECTL: VerbProgram = {
  options: optionTable(`
    n|namespace= context= cluster= user= kubeconfig= server= s|server= token= as= as-group= as-uid= cache-dir=
    certificate-authority= client-certificate= client-key= request-timeout= tls-server-name= v|v= vmodule=
    profile= profile-output= log-file= l|selector= f|filename= k|kustomize= o|output= field-selector=
    field-manager= type= p|patch= patch-file= subresource= template= c|container= cascade=? grace-period=
    timeout= replicas= current-replicas= resource-version= raw= clusterrole= role= serviceaccount= group=
    image= overrides= override-type= restart= env= port= dry-run=? all A|all-namespaces force now wait=? prune
    prune-allowlist= R|recursive ignore-not-found=? i|stdin t|tty w|watch h|help delete-emptydir-data
    ignore-daemonsets pod-selector= disable-eviction privileged match-server-version
    insecure-skip-tls-verify=?
  `),
  dryRun: ['dry-run'],
  harmless: wordList(`
    get describe logs apply exec port-forward top version config rollout create explain api-resources
    cluster-info diff wait cp label annotate edit auth cordon
  `),
  rules: [
    { verbs: 'delete', act: DESTROY_CLUSTER, when: takesWhole },
    { verbs: 'delete', act: DELETE_KUBERNETES },
    { verbs: 'drain', act: DELETE_KUBERNETES },
    { verbs: 'replace', act: DELETE_KUBERNETES, when: ({ read }) => isGiven(read, 'force') },
    {
      verbs: 'apply',
      act: DELETE_KUBERNETES,
      when: ({ read }) => certainly(isGiven(read, 'prune') === 'yes'),
    },
    { verbs: 'scale', act: DELETE_KUBERNETES, when: ({ read }) => valueIs(read, /^0$/, 'replicas') },
    {
      verbs: 'patch',
      act: DELETE_KUBERNETES,
      when: ({ read }) =>
        onlySure(
          valueIs(read, /"replicas"\s*:\s*0\b|"finalizers"\s*:\s*(?:null|\[\s*\])|\/finalizers"/, 'patch'),
        ),
    },
    { verbs: 'taint', act: DELETE_KUBERNETES, when: ({ rest }) => someWord(rest, /:NoExecute$/) },
    { verbs: 'adm|oadm prune|drain', act: DELETE_KUBERNETES },
    {
      verbs: 'config delete-context|delete-cluster|delete-user|unset',
      act: { ...DELETE_KUBERNETES, act: 'kubernetes/config' },
    },
    {
      verbs: 'create clusterrolebinding',
      act: GRANT,
      when: ({ read }) => valueIs(read, /admin/, 'clusterrole'),
    },
    { verbs: 'adm policy', act: GRANT },
    { verbs: 'run', act: ESCAPE, when: asksForHost },
    { verbs: 'debug', act: ESCAPE, when: ({ rest }) => someWord(rest, /^nodes?\//) },
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

function someWord(words: readonly Word[], pattern: RegExp): Certainty {
  return certainly(words.some((word) => exactTexts(word).some((text) => pattern.test(text))))
}

function asksForHost({ read }: VerbCall): Certainty {
  const text = valuesOf(read, 'overrides').flatMap(exactTexts).join(' ')
  const wanted = /"(hostPID|hostNetwork|hostIPC|privileged)"\s*:\s*true|"hostPath"/.test(text)
  return certainly(wanted || isGiven({ ...read, doubtful: [] }, 'privileged') === 'yes')
}
