import { receiptFits } from '#shared/opening/chain.ts'
import { getChain } from '#shared/opening/contract.ts'
import { call } from '../app/api.ts'
import { ChainCheck, hashHere } from '../app/chain-check.tsx'
import { useText } from '../app/text.tsx'

/** The chain of a demand's events, with the receipts of the reader's own quotes. */
export function ChainPanel({ demandId }: { demandId: number }) {
  const text = useText()
  const words = text.admin.chain
  const load = async () => {
    const { links, receipts } = await call(getChain, { params: { id: demandId } })
    return {
      links,
      receipts: await Promise.all(receipts.map(async (receipt) => ({ ...receipt, fits: await receiptFits(receipt, links, hashHere) }))),
    }
  }
  return (
    <ChainCheck hint={words.hint} moves={text.demand.move} load={load}>
      {({ receipts }) =>
        receipts.map((receipt) => (
          <p key={receipt.quoteCode} className="small">
            {words.receipt} <span className="num">{receipt.quoteCode}</span>:{' '}
            {receipt.fits ? (receipt.offer === null ? words.receiptSealed : words.receiptGood) : words.receiptBad}
            <br />
            <span className="hash">{receipt.sealHash}</span>
          </p>
        ))
      }
    </ChainCheck>
  )
}
