import { wordList } from '../../core/word-list.ts'
import { optionTable } from '../arguments/options.ts'
import { certainly, isGiven, type VerbProgram, verbEffects } from '../arguments/verbs.ts'
import { DELETE_KUBERNETES, DESTROY_CLUSTER, KUBECTL } from './kubernetes/kubectl.ts'
import type { Model, ModelCases } from './model.ts'
import { PUBLISH } from '../programs/packages/acts.ts'

/** Clusters and what is deployed into them. `k` is what nearly everybody calls kubectl. */
export const kubernetes: Model = {
  programs: wordList(`
    kubectl k oc kubecolor microk8s k3s helm helm3 argocd flux kubeadm velero istioctl minikube kind helmfile
    skaffold k3d nomad
  `),
  effects: ({ name, command }) => verbEffects(command, PROGRAMS.get(name) ?? KUBECTL),
}

export const cases: ModelCases = [
  ['kubectl get pods -A'],
  ['k get pods -A'],
  ['k -n api delete pod api-1', 'remote-mutate kubernetes/delete'],
  ['kubectl -n delete get pods'],
  ['kubectl describe pod delete'],
  ['kubectl apply -f deploy.yaml'],
  ['kubectl rollout restart deployment/api'],
  ['kubectl cordon node-1'],
  ['kubectl delete pod api-1', 'remote-mutate kubernetes/delete'],
  ['kubectl --context=prod -n api delete deployment api', 'remote-mutate kubernetes/delete'],
  ['kubectl --request-timeout 5s delete -f deploy.yaml', 'remote-mutate kubernetes/delete'],
  ['kubectl --unlisted x delete pod api-1', 'remote-mutate kubernetes/delete'],
  ['kubectl delete pod api-1 --dry-run=client'],
  ['kubectl delete pod api-1 --dry-run=none', 'remote-mutate kubernetes/delete'],
  ['kubectl delete --help'],
  ['kubectl delete ns staging', 'data-destroy kubernetes/destroy'],
  ['kubectl delete pod,pvc -l app=api', 'data-destroy kubernetes/destroy'],
  ['kubectl delete pvc/data-0', 'data-destroy kubernetes/destroy'],
  ['kubectl delete pods --all', 'data-destroy kubernetes/destroy'],
  ['kubectl delete all --all -n api', 'data-destroy kubernetes/destroy'],
  ['kubectl delete crd widgets.example.com', 'data-destroy kubernetes/destroy'],
  ['kubectl delete $KIND api', 'data-destroy kubernetes/destroy ?', 'remote-mutate kubernetes/delete'],
  ['kubectl delete pod $(kubectl get pods -o name)', 'remote-mutate kubernetes/delete'],
  ['kubectl $VERB ns staging', 'data-destroy kubernetes/destroy ?'],
  ['kubectl $FLAGS get pods'],
  ['kubectl drain node-1 --ignore-daemonsets', 'remote-mutate kubernetes/delete'],
  ['kubectl scale deploy/api --replicas=3'],
  [`kubectl patch deploy api -p '{"spec":{"replicas":0}}'`, 'remote-mutate kubernetes/delete'],
  [`kubectl patch deploy api -p '{"spec":{"replicas":3}}'`],
  [`kubectl patch pvc data -p '{"metadata":{"finalizers":null}}'`, 'remote-mutate kubernetes/delete'],
  [
    `kubectl patch ns x --type json -p '[{"op":"remove","path":"/metadata/finalizers"}]'`,
    'remote-mutate kubernetes/delete',
  ],
  ['kubectl scale deploy/api --replicas 0', 'remote-mutate kubernetes/delete'],
  ['kubectl replace --force -f pod.yaml', 'remote-mutate kubernetes/delete'],
  ['kubectl config use-context prod'],
  ['kubectl config delete-context prod', 'remote-mutate kubernetes/config'],
  ['kubectl create clusterrolebinding x --clusterrole=cluster-admin --user=dev', 'privilege cloud/access'],
  ['kubectl debug node/node-1 -it --image=busybox', 'privilege privilege/container-escape'],
  ['oc delete project staging', 'data-destroy kubernetes/destroy'],
  ['kubecolor delete svc api', 'remote-mutate kubernetes/delete'],
  ['microk8s kubectl delete ns staging', 'data-destroy kubernetes/destroy'],
  ['k3s kubectl get pods'],
  ['minikube kubectl -- delete ns staging', 'data-destroy kubernetes/destroy'],
  ['minikube start'],
  ['minikube delete'],
  ['minikube delete --all --purge', 'remote-mutate kubernetes/delete'],
  ['kind get clusters'],
  ['kind delete cluster --name dev'],
  ['kind delete clusters --all', 'remote-mutate kubernetes/delete'],
  ['helmfile apply'],
  ['helmfile -e prod destroy', 'remote-mutate kubernetes/delete'],
  ['skaffold dev'],
  ['skaffold delete', 'remote-mutate kubernetes/delete'],
  ['k3d cluster delete prod', 'remote-mutate kubernetes/delete'],
  ['helm push chart.tgz oci://registry.example.com/charts', 'remote-mutate packages/publish'],
  ['helm list -A'],
  ['helm upgrade --install api ./chart'],
  ['helm rollback api 3'],
  ['helm3 uninstall api', 'remote-mutate kubernetes/delete'],
  ['helm repo remove stable'],
  ['helm uninstall api --dry-run'],
  ['helm -n api uninstall api', 'remote-mutate kubernetes/delete'],
  ['helm del --purge api', 'remote-mutate kubernetes/delete'],
  ['argocd app get api'],
  ['argocd app delete api --yes', 'remote-mutate kubernetes/delete'],
  ['flux get all'],
  ['flux uninstall --silent', 'remote-mutate kubernetes/delete'],
  ['kubeadm token list'],
  ['kubeadm reset -f', 'data-destroy kubernetes/destroy'],
  ['velero backup delete nightly', 'data-destroy kubernetes/destroy'],
  ['istioctl uninstall --purge', 'remote-mutate kubernetes/delete'],
  ['nomad job status'],
  ['nomad job stop -purge api', 'remote-mutate kubernetes/delete'],
]

const COMMON = optionTable(`
  e|environment= l|selector= n|namespace= kube-context= kubeconfig= context= server= auth-token= timeout=
  o|output= f|values= set= version= revision= cascade= dry-run=? h|help wait y|yes purge kube-apiserver=
  kube-token= registry-config= repository-config= address= region= force
`)

const HELM: VerbProgram = {
  options: COMMON,
  dryRun: ['dry-run'],
  harmless: wordList('list ls get status install upgrade template repo history show lint'),
  rules: [
    { verbs: 'uninstall|delete|del|un', act: DELETE_KUBERNETES },
    { verbs: 'push', act: PUBLISH },
  ],
}

function deletes(...verbs: readonly string[]): VerbProgram {
  return {
    options: COMMON,
    dryRun: ['dry-run'],
    rules: verbs.map((each) => ({ verbs: each, act: DELETE_KUBERNETES })),
  }
}

const WITH_KUBECTL: VerbProgram = { options: optionTable('h|help'), nested: { kubectl: KUBECTL }, rules: [] }

const PROGRAMS: ReadonlyMap<string, VerbProgram> = new Map([
  ['helm', HELM],
  ['helm3', HELM],
  ['microk8s', { ...WITH_KUBECTL, rules: [{ verbs: 'reset', act: DESTROY_CLUSTER }] }],
  ['k3s', WITH_KUBECTL],
  [
    'minikube',
    {
      ...WITH_KUBECTL,
      rules: [
        {
          verbs: 'delete',
          act: DELETE_KUBERNETES,
          when: ({ read }) => certainly(read.options.some(({ name }) => name === 'all' || name === 'purge')),
        },
      ],
    },
  ],
  ['kind', deletes('delete clusters')],
  ['helmfile', deletes('destroy|delete')],
  ['skaffold', deletes('delete')],
  ['k3d', deletes('cluster|node|registry delete')],
  ['argocd', deletes('app|appset|proj|cluster|repo delete|rm', 'app delete-resource')],
  ['flux', deletes('uninstall', 'delete')],
  ['istioctl', deletes('uninstall', 'x uninstall')],
  ['kubeadm', { options: COMMON, dryRun: ['dry-run'], rules: [{ verbs: 'reset', act: DESTROY_CLUSTER }] }],
  ['velero', { options: COMMON, rules: [{ verbs: '* delete', act: DESTROY_CLUSTER }] }],
  [
    'nomad',
    {
      options: COMMON,
      singleDash: true,
      rules: [
        {
          verbs: 'job stop',
          act: DELETE_KUBERNETES,
          when: ({ read }) => certainly(isGiven(read, 'purge') === 'yes'),
        },
        { verbs: 'namespace|volume|system delete|gc', act: DELETE_KUBERNETES },
      ],
    },
  ],
])
