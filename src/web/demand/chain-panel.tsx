import { useMutation } from '@tanstack/react-query'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { brokenLink, receiptFits } from '#shared/opening/chain.ts'
import { getChain } from '#shared/opening/contract.ts'
import { ApiError, call } from '../app/api.ts'
import { minute } from '../app/format.ts'
import { useText } from '../app/text.tsx'

const hex = (text: string) => bytesToHex(sha256(utf8ToBytes(text)))

/** The chain of a demand's events. This browser recomputes every link, so nobody has to trust the platform. */
export function ChainPanel({ demandId }: { demandId: number }) {
  const text = useText()
  const words = text.admin.chain
  const check = useMutation({
    mutationFn: async () => {
      const { links, receipts } = await call(getChain, { params: { id: demandId } })
      return {
        links,
        broken: await brokenLink(links, hex),
        receipts: await Promise.all(receipts.map(async (receipt) => ({ ...receipt, fits: await receiptFits(receipt, links, hex) }))),
      }
    },
    onError: (problem) => {
      if (!(problem instanceof ApiError)) throw problem
    },
  })
  const found = check.data
  return (
    <section className="panel">
      <div className="row between">
        <div>
          <h2>{words.title}</h2>
          <p className="small soft">{words.hint}</p>
        </div>
        <button type="button" className="button button-small no-print" disabled={check.isPending} onClick={() => check.mutate()}>
          {words.verify}
        </button>
      </div>
      {found && (
        <div className="stack mt-12">
          <p className={`notice ${found.broken === null ? '' : 'notice-warn'}`} role="status">
            <strong>{found.broken === null ? words.good(found.links.length) : words.bad(found.broken)}</strong>
            <br />
            <span className="small">
              {words.head} <span className="hash">{found.links.at(-1)?.hash}</span>
            </span>
          </p>
          {found.receipts.map((receipt) => (
            <p key={receipt.quoteCode} className="small">
              {words.receipt} <span className="num">{receipt.quoteCode}</span>:{' '}
              {receipt.fits ? (receipt.offer === null ? words.receiptSealed : words.receiptGood) : words.receiptBad}
              <br />
              <span className="hash">{receipt.sealHash}</span>
            </p>
          ))}
          <details>
            <summary className="small">{text.demand.own.timeline}</summary>
            <ol className="small">
              {found.links.map((link) => (
                <li key={link.seq}>
                  {text.demand.move[link.move] ?? link.move} <span className="faint num">{minute(link.at)}</span>
                  <br />
                  <span className="hash">{link.hash}</span>
                </li>
              ))}
            </ol>
          </details>
        </div>
      )}
    </section>
  )
}
