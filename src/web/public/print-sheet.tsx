import { useEffect, useState } from 'react'
import { useText } from '../app/text.tsx'

/**
 * Prints the page as a sheet, with a code that leads to the current state of what is printed. The code is made when it is asked for: its
 * library is not needed by those who only read.
 */
export function PrintSheet({ label, address }: { label: string; address: string }) {
  const { search, site } = useText()
  const [code, setCode] = useState<string | null>(null)
  const make = async () => {
    const { renderSVG } = await import('uqr')
    setCode(`data:image/svg+xml,${encodeURIComponent(renderSVG(address, { border: 1 }))}`)
  }
  return (
    <>
      <button type="button" className="keep no-print" onClick={() => void make()}>
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d="M7 9V3h10v6M7 18H4v-8h16v8h-3M7 15h10v6H7z" />
        </svg>
        {site.common.print}
        <span className="visually-hidden"> {label}</span>
      </button>
      {code && <PrintedCode code={code} words={search.scan} address={address} onPrinted={() => setCode(null)} />}
    </>
  )
}

function PrintedCode({ code, words, address, onPrinted }: { code: string; words: string; address: string; onPrinted: () => void }) {
  useEffect(() => {
    window.addEventListener('afterprint', onPrinted)
    return () => window.removeEventListener('afterprint', onPrinted)
  }, [onPrinted])
  return (
    <figure className="print-code">
      <img src={code} alt="" width="120" height="120" onLoad={() => window.print()} />
      <figcaption>
        {words}
        <br />
        {address}
      </figcaption>
    </figure>
  )
}
