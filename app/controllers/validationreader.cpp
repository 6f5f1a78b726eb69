// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/controllers/validationreader.h"

#include <QCoreApplication>
#include <iterator>
#include <memory>
#include <utility>

#include "model/calibrate/published.h"
#include "views/pages/validationpage.h"

namespace cw::app {

ValidationReader::ValidationReader(views::ValidationPage& page, QObject* parent)
    : QObject(parent), m_page(page)
{
    m_pool.setMaxThreadCount(1);
    connect(&page, &views::ValidationPage::rowsWanted, this, &ValidationReader::start);
}

ValidationReader::~ValidationReader()
{
    m_stop = true;
    m_pool.waitForDone();
}

void ValidationReader::start()
{
    m_page.setProgress(0, 1);
    m_pool.start([this] {
        const auto files = calibrate::publishedRows();
        auto all = std::make_shared<calibrate::Validation>();
        const auto tell = [this](const auto& what) {
            QMetaObject::invokeMethod(this, what, Qt::QueuedConnection);
        };
        for (std::size_t i = 0; i < files.size() && !m_stop; ++i) {
            scenario::Faults faults; // of these files there are none; the tests hold that
            auto part = calibrate::validate({files[i]}, faults);
            std::move(part.rows.begin(), part.rows.end(), std::back_inserter(all->rows));
            std::move(part.skipped.begin(), part.skipped.end(), std::back_inserter(all->skipped));
            std::move(part.collectives.begin(), part.collectives.end(),
                      std::back_inserter(all->collectives));
            tell([this, done = static_cast<int>(i) + 1, total = static_cast<int>(files.size())] {
                m_page.setProgress(done, total);
            });
        }
        calibrate::summarize(*all);
        // The page looks at collectives as at other rows.
        auto collectives = calibrate::asRows(all->collectives);
        std::move(collectives.begin(), collectives.end(), std::back_inserter(all->rows));
        tell([this, rows = std::shared_ptr<const calibrate::Validation>(all)] {
            m_page.setRows(rows);
        });
    });
}

void ValidationReader::flush()
{
    m_pool.waitForDone();
    QCoreApplication::sendPostedEvents(this);
}

} // namespace cw::app
