/** Every journal by its id, loaded when one is opened. The table equals the folders: a gate checks it. */
export const STORES = {
  memory: () => import('./memory/store.ts'),
  sqlite: () => import('./sqlite/store.ts'),
}
