import { useMutation } from '@tanstack/react-query'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { ReactNode } from 'react'
import { brokenLink, type ChainLink } from '#shared/opening/chain.ts'
import { useText } from './text.tsx'
import { ApiError } from './api.ts'
import { minute } from './format.ts'

/** SHA-256 in hex, as this browser computes it. */
export const hashHere = (text: string) => bytesToHex(sha256(utf8ToBytes(text)))

/**
 * A chain of hashes, fetched and recomputed in this browser when the reader asks for it, so nobody has to trust the platform. `children` shows
 * what else the answer of `load` holds.
 */
export function ChainCheck<Found extends { links: readonly ChainLink[] }>({
  hint,
  moves,
  load,
  children,
}: {
  hint: string
  /** The words of the moves. */
  moves: Readonly<Record<string, string>>
  load: () => Promise<Found>
  children: (found: Found) => ReactNode
}) {
  const text = useText()
  const words = text.admin.chain
  const check = useMutation({
    mutationFn: async () => {
      const loaded = await load()
      return { loaded, broken: await brokenLink(loaded.links, hashHere) }
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
          <p className="small soft">{hint}</p>
        </div>
        <button type="button" className="button button-small no-print" aria-disabled={check.isPending} onClick={() => check.mutate()}>
          {words.verify}
        </button>
      </div>
      {found && (
        <div className="stack mt-12">
          <p className={`notice ${found.broken === null ? '' : 'notice-warn'}`} role="status">
            <strong>{found.broken === null ? words.good(found.loaded.links.length) : words.bad(found.broken)}</strong>
            <br />
            <span className="small">
              {words.head} <span className="hash">{found.loaded.links.at(-1)?.hash}</span>
            </span>
          </p>
          {children(found.loaded)}
          <details>
            <summary className="small">{text.demand.own.timeline}</summary>
            <ol className="small">
              {found.loaded.links.map((link) => (
                <li key={link.seq}>
                  {moves[link.move] ?? link.move} <span className="faint num">{minute(link.at)}</span>
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
