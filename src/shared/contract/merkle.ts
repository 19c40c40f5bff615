/** The last link of a contract's chain when a day ended. */
export type ChainHead = { contractId: number; seq: number; hash: string }

type Sha256 = (text: string) => string

/** Leaves begin with 0 and inner nodes with 1, so that neither can stand for the other. */
const leafOf = ({ contractId, seq, hash }: ChainHead, sha256: Sha256): string => sha256(`0\n${contractId}\n${seq}\n${hash}`)

const parents = (level: readonly string[], sha256: Sha256): string[] =>
  Array.from({ length: Math.ceil(level.length / 2) }, (_, at) => {
    const [left = '', right] = level.slice(at * 2, at * 2 + 2)
    // The last one of an odd number goes up as it is.
    return right === undefined ? left : sha256(`1\n${left}\n${right}`)
  })

/** The Merkle root of the heads of a day in the order of their contracts; of none, SHA-256 of nothing. */
export function merkleRoot(heads: readonly ChainHead[], sha256: Sha256): string {
  let level = heads.map((head) => leafOf(head, sha256))
  if (level.length === 0) return sha256('')
  while (level.length > 1) level = parents(level, sha256)
  return level[0] ?? ''
}

/** The hashes that lead from one head to the root, the lowest first; `isLeft` is on which side of the way each stands. */
export function merklePath(heads: readonly ChainHead[], contractId: number, sha256: Sha256): { hash: string; isLeft: boolean }[] {
  let at = heads.findIndex((head) => head.contractId === contractId)
  let level = heads.map((head) => leafOf(head, sha256))
  const path: { hash: string; isLeft: boolean }[] = []
  while (level.length > 1) {
    const isLeft = at % 2 === 1
    const hash = level[isLeft ? at - 1 : at + 1]
    if (hash !== undefined) path.push({ hash, isLeft })
    level = parents(level, sha256)
    at = Math.floor(at / 2)
  }
  return path
}
