import { useSiteName } from '../app/site.ts'
import { useText } from '../app/text.tsx'
import { MachineIcon } from '../equipment/machine-drawing.tsx'
import { Head } from '../ui/parts.tsx'

export default function AboutPage() {
  const { about } = useText().site
  const site = useSiteName()
  const sections = [
    { id: 'ppln', title: about.brand, words: about.brandText, group: 200 },
    { id: 'jyln', title: about.business, words: about.businessText, group: 500 },
    { id: 'hxtd', title: about.team, words: about.teamText, group: 800 },
  ]
  return (
    <div className="wrap page about">
      <Head title={about.title} description={about.lead} site={site} />
      <header style={{ minHeight: 440 }}>
        <h1>{about.title}</h1>
        <p>{about.lead}</p>
        <nav className="tabs" style={{ marginTop: 24 }} aria-label={about.title}>
          {sections.map(({ id, title }) => (
            <a key={id} href={`#${id}`}>
              {title}
            </a>
          ))}
        </nav>
        <div className="row" style={{ gap: 40, maxWidth: 760 }} aria-hidden="true">
          {[100, 300, 400, 600].map((group) => (
            <div key={group} style={{ width: 140 }}>
              <MachineIcon group={group} />
            </div>
          ))}
        </div>
      </header>
      {sections.map(({ id, title, words, group }) => (
        // Without an id, because the browser and the router would scroll to the element; the specification wants fixed offsets (root.tsx).
        <section key={id} style={id === 'jyln' ? { minHeight: 800 } : undefined}>
          <h2>{title}</h2>
          {words.map((paragraph) => (
            <p key={paragraph}>{paragraph}</p>
          ))}
          <div style={{ width: 240, marginTop: 24 }} aria-hidden="true">
            <MachineIcon group={group} />
          </div>
        </section>
      ))}
    </div>
  )
}
