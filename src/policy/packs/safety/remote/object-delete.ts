import { actGuard } from '../../act-guard.ts'

export const objectDelete = actGuard({
  id: 'safety/remote/object-delete',
  title: 'Deleting stored objects',
  why: 'Without versioning a deleted object cannot be restored, and a sync may delete more than intended.',
  instead:
    'check what would be deleted with `aws s3 sync dist s3://shop --delete --dryrun`, and let the user run it.',
  acts: ['cloud/delete-object'],
  mentions: /^(?=.*\b(aws|gcloud|gsutil|az|wrangler|s3cmd|s5cmd)\b)(?=.*(rm|delete|sync))/s,
  maybe: 'may delete stored objects',
  modes: { standard: 'ask', strict: 'deny', paranoid: 'deny' },
  examples: {
    stops: [
      'aws s3 rm s3://shop/orders.csv',
      'aws --profile prod s3 rm s3://shop/orders.csv --quiet',
      'aws s3 sync dist s3://shop --delete',
      'aws s3 mv s3://shop/a s3://shop/b --recursive',
      'gsutil rm gs://shop/orders.csv',
      'gsutil -m rsync -r -d dist gs://shop',
      'gcloud storage rm gs://shop/orders.csv',
      'gcloud storage rsync dist gs://shop --delete-unmatched-destination-objects',
      'az storage blob delete --container-name images --name a.png',
      'wrangler r2 object delete shop/orders.csv',
      's5cmd rm s3://shop/orders.csv',
    ],
    passes: [
      'aws s3 cp orders.csv s3://shop/',
      'aws s3 sync dist s3://shop',
      'aws s3 sync dist s3://shop --delete --dryrun',
      'aws s3 rm s3://shop/orders.csv --dryrun',
      'aws s3 ls s3://shop --recursive',
      'aws s3api get-object --bucket shop --key orders.csv out.csv',
      'gsutil rsync -n -d dist gs://shop',
      'gsutil cat gs://shop/orders.csv',
      'gcloud storage ls gs://shop',
      'az storage blob list --container-name images',
      'wrangler r2 object get shop/orders.csv',
      's5cmd ls s3://shop',
    ],
  },
})
