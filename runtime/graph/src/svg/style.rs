//! Colors and fonts, for light and dark pages.

/// The style sheet of all pictures. Every rule applies only within an element of class `hpdlc-graph`.
///
/// Custom properties would be shorter, but several programs that draw SVG do not support them.
pub const STYLE: &str = r#".hpdlc-graph{font-family:ui-sans-serif,system-ui,"Segoe UI",Helvetica,Arial,sans-serif;font-size:13px}
.hpdlc-graph text{text-anchor:middle;fill:#1f2937}
.hpdlc-graph .paper{fill:#fff}
.hpdlc-graph .flow{fill:none;stroke:#64748b;stroke-width:1.5}
.hpdlc-graph .error{fill:none;stroke:#dc2626;stroke-opacity:.55;stroke-dasharray:4 3}
.hpdlc-graph .flow-head{fill:#64748b}
.hpdlc-graph .error-head{fill:#dc2626;fill-opacity:.65}
.hpdlc-graph .label rect{fill:#fff;fill-opacity:.88}
.hpdlc-graph .label text{font-size:11px;fill:#854d0e}
.hpdlc-graph .box{fill:#f8fafc;stroke:#94a3b8}
.hpdlc-graph .detail{font-size:11px;fill:#64748b}
.hpdlc-graph .unsupported .box{stroke-dasharray:5 3}
.hpdlc-graph .unreached text{fill:#64748b}
.hpdlc-graph .unreached .stripe{opacity:.4}
.hpdlc-graph .start .box,.hpdlc-graph .end .box{fill:#dcfce7;stroke:#16a34a;stroke-width:1.5}
.hpdlc-graph .end .ring{fill:none;stroke:#16a34a}
.hpdlc-graph .kill .box,.hpdlc-graph .sign .box{fill:#fee2e2;stroke:#dc2626}
.hpdlc-graph .link .box{fill:#f1f5f9;stroke:#64748b}
.hpdlc-graph .sign text,.hpdlc-graph .link text{font-size:11px}
.hpdlc-graph .decision .box{fill:#fef9c3;stroke:#ca8a04}
.hpdlc-graph .block .box{fill:#e2e8f0;stroke:#64748b}
.hpdlc-graph .schedule .box{fill:#e0f2fe;stroke:#0284c7}
.hpdlc-graph .dataset .box{fill:#fef3c7;stroke:#b45309}
.hpdlc-graph .lid{fill:none;stroke:#b45309}
.hpdlc-graph .event .box{fill:#f8fafc;stroke:#0e7490}
.hpdlc-graph .logic .box{fill:#ede9fe;stroke:#7c3aed}
.hpdlc-graph .rack>.box{fill:none;stroke:#94a3b8;stroke-dasharray:1 3}
.hpdlc-graph .bar text{fill:#fff;font-weight:600}
.hpdlc-graph .bar .detail{fill:#fff;font-weight:400}
.hpdlc-graph .files .stripe{fill:#0e7490}
.hpdlc-graph .process .stripe{fill:#4f46e5}
.hpdlc-graph .cluster .stripe{fill:#b45309}
.hpdlc-graph .application .stripe{fill:#7c3aed}
.hpdlc-graph .message .stripe{fill:#be185d}
.hpdlc-graph .unknown .stripe{fill:#6b7280}
.hpdlc-graph .pair0 .box{fill:#2563eb}
.hpdlc-graph .pair1 .box{fill:#0f766e}
.hpdlc-graph .pair2 .box{fill:#be185d}
.hpdlc-graph .pair3 .box{fill:#b45309}
.hpdlc-graph .pair4 .box{fill:#7c3aed}
.hpdlc-graph .pair5 .box{fill:#4d7c0f}
.hpdlc-graph .pair6 .box{fill:#0369a1}
.hpdlc-graph .pair7 .box{fill:#9f1239}
.hpdlc-graph .unpaired .box{fill:#475569}
.hpdlc-graph .bar .box{stroke:none}
.hpdlc-graph .number{fill:#fff}
.hpdlc-graph .bar .number-text{fill:#1f2937;font-size:11px}
.hpdlc-graph .mark circle{fill:#dc2626}
.hpdlc-graph .mark text{fill:#fff;font-size:10px;font-weight:600}
.hpdlc-graph .mark.idle circle{fill:#cbd5e1}
.hpdlc-graph .mark.idle text{fill:#475569}
.hpdlc-graph .flow.taken{stroke:#0f172a;stroke-width:2.5}
.hpdlc-graph .flow-head.taken{fill:#0f172a}
.hpdlc-graph .flow.idle{stroke:#cbd5e1}
.hpdlc-graph .flow-head.idle{fill:#cbd5e1}
.hpdlc-graph .error.taken{stroke-width:2.5;stroke-opacity:1}
.hpdlc-graph .error.idle{stroke-opacity:.3}
.hpdlc-graph .legend text{text-anchor:start;font-size:11px;fill:#475569}
.hpdlc-graph .untouched .box,.hpdlc-graph .unreached .box{fill:#f8fafc;stroke:#cbd5e1}
.hpdlc-graph .untouched.bar .box,.hpdlc-graph .unreached.bar .box{fill:#94a3b8}
.hpdlc-graph .untouched .ring{stroke:#cbd5e1}
.hpdlc-graph .untouched text{fill:#64748b}
.hpdlc-graph .untouched .stripe{opacity:.4}
.hpdlc-graph .unreached .box{stroke-dasharray:2 3}
.hpdlc-graph .s-waiting .box{fill:#fef9c3;stroke:#ca8a04;stroke-width:1.5}
.hpdlc-graph .s-running .box{fill:#dbeafe;stroke:#2563eb;stroke-width:2.5}
.hpdlc-graph .s-good .box{fill:#dcfce7;stroke:#16a34a;stroke-width:1.5}
.hpdlc-graph .s-stuck .box{fill:#ffedd5;stroke:#ea580c;stroke-width:2.5}
.hpdlc-graph .s-bad .box{fill:#fee2e2;stroke:#dc2626;stroke-width:2.5}
.hpdlc-graph .s-killed .box{fill:#e5e7eb;stroke:#4b5563;stroke-width:1.5}
@media (prefers-color-scheme:dark){
.hpdlc-graph text{fill:#e2e8f0}
.hpdlc-graph .paper,.hpdlc-graph .label rect{fill:#0f172a}
.hpdlc-graph .flow{stroke:#94a3b8}
.hpdlc-graph .flow-head{fill:#94a3b8}
.hpdlc-graph .error{stroke:#f87171}
.hpdlc-graph .error-head{fill:#f87171}
.hpdlc-graph .label text{fill:#fde68a}
.hpdlc-graph .box{fill:#1e293b;stroke:#64748b}
.hpdlc-graph .detail{fill:#94a3b8}
.hpdlc-graph .start .box,.hpdlc-graph .end .box{fill:#14532d}
.hpdlc-graph .kill .box,.hpdlc-graph .sign .box{fill:#7f1d1d}
.hpdlc-graph .link .box,.hpdlc-graph .block .box{fill:#334155}
.hpdlc-graph .decision .box,.hpdlc-graph .dataset .box{fill:#422006}
.hpdlc-graph .schedule .box{fill:#0c4a6e}
.hpdlc-graph .event .box{fill:#1e293b}
.hpdlc-graph .logic .box{fill:#2e1065}
.hpdlc-graph .flow.taken{stroke:#f8fafc}
.hpdlc-graph .flow-head.taken{fill:#f8fafc}
.hpdlc-graph .flow.idle{stroke:#475569}
.hpdlc-graph .flow-head.idle{fill:#475569}
.hpdlc-graph .mark.idle circle{fill:#475569}
.hpdlc-graph .mark.idle text{fill:#e2e8f0}
.hpdlc-graph .legend text{fill:#94a3b8}
.hpdlc-graph .untouched .box,.hpdlc-graph .unreached .box{fill:#1e293b;stroke:#475569}
.hpdlc-graph .untouched text,.hpdlc-graph .unreached text{fill:#94a3b8}
.hpdlc-graph .s-waiting .box{fill:#422006}
.hpdlc-graph .s-running .box{fill:#1e3a8a}
.hpdlc-graph .s-good .box{fill:#14532d}
.hpdlc-graph .s-stuck .box{fill:#7c2d12}
.hpdlc-graph .s-bad .box{fill:#7f1d1d}
.hpdlc-graph .s-killed .box{fill:#374151}
}
"#;

/// The number of colors for pairs of fork and join.
pub const N_PAIR_COLORS: usize = 8;
