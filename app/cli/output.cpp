// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output.h"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <openssl/evp.h>

namespace cw::cli {

namespace fs = std::filesystem;

namespace {

bool writeAll(int file, std::string_view content)
{
    while (!content.empty()) {
        const ssize_t written = ::write(file, content.data(), content.size());
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        content.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

/// Rights of a file that is replaced stay; a new one has those of any new file.
mode_t rightsFor(const fs::path& path)
{
    struct stat status
    {
    };
    if (::stat(path.c_str(), &status) == 0)
        return status.st_mode & 0777U;
    const mode_t mask = ::umask(0);
    ::umask(mask);
    return 0666U & ~mask;
}

/// Writes beside the file and renames; answers errno, 0 where it went well.
int replace(const fs::path& target, std::string_view content)
{
    std::string beside = (target.parent_path() / ("." + target.filename().string() + ".XXXXXX"));
    const int file = ::mkstemp(beside.data());
    if (file < 0)
        return errno;
    const bool written =
        writeAll(file, content) && ::fchmod(file, rightsFor(target)) == 0 && ::fsync(file) == 0;
    int error = written ? 0 : errno;
    if (::close(file) != 0 && error == 0)
        error = errno;
    if (error == 0 && std::rename(beside.c_str(), target.c_str()) != 0)
        error = errno;
    if (error != 0)
        ::unlink(beside.c_str());
    return error;
}

/// Devices and pipes cannot be replaced: they are written to.
int writeInto(const fs::path& target, std::string_view content)
{
    const int file = ::open(target.c_str(), O_WRONLY | O_CLOEXEC);
    if (file < 0)
        return errno;
    int error = writeAll(file, content) ? 0 : errno;
    if (::close(file) != 0 && error == 0)
        error = errno;
    return error;
}

} // namespace

void writeWhole(const Session& session, const std::string& path, std::string_view content)
{
    std::error_code none;
    fs::path target(path);
    if (fs::is_symlink(target, none)) // what the link names is replaced, not the link
        if (fs::path named = fs::canonical(target, none); !none)
            target = std::move(named);
    const auto status = fs::status(target, none);
    const int error = fs::is_directory(status) ? EISDIR
                      : fs::exists(status) && !fs::is_regular_file(status)
                          ? writeInto(target, content)
                          : replace(target, content);
    if (error != 0)
        stop(Status::CommandLine,
             session.message("cli.unwritable", {{"file", path}, {"reason", std::strerror(error)}}));
}

std::string sha256Of(std::string_view content)
{
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned int size = 0;
    if (EVP_Digest(content.data(), content.size(), digest.data(), &size, EVP_sha256(), nullptr) !=
        1)
        stop(Status::Internal, "SHA-256");
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text;
    for (unsigned int i = 0; i < size; ++i) {
        text += kDigits[digest[i] >> 4U];
        text += kDigits[digest[i] & 15U];
    }
    return text;
}

} // namespace cw::cli
