// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/units/unit.h"

namespace cw::units {

std::string_view symbol(Unit unit)
{
    switch (unit) {
    case Unit::None:
    case Unit::Share:
    case Unit::Parameters:
        return "";
    case Unit::Bytes:
    case Unit::VendorBytes:
        return "B";
    case Unit::BytesPerSecond:
        return "B/s";
    case Unit::FlopPerSecond:
        return "FLOP/s";
    case Unit::Flop:
        return "FLOP";
    case Unit::FlopPerToken:
        return "FLOP/token";
    case Unit::Seconds:
        return "s";
    case Unit::Days:
        return "d";
    case Unit::Watts:
        return "W";
    case Unit::Joules:
        return "J";
    case Unit::Celsius:
        return "°C";
    case Unit::Kelvins:
        return "K";
    case Unit::Tokens:
        return "token";
    case Unit::TokensPerSecond:
        return "token/s";
    case Unit::Money:
        return "money";
    case Unit::MoneyPerWatt:
        return "money/W";
    case Unit::MoneyPerKwh:
        return "money/kWh";
    case Unit::MoneyPerHour:
        return "money/h";
    case Unit::PerYear:
        return "1/a";
    case Unit::Years:
        return "a";
    case Unit::LitresPerMinute:
        return "L/min";
    case Unit::LitresPerDay:
        return "L/d";
    case Unit::LitresPerKwh:
        return "L/kWh";
    case Unit::KilogramPerKwh:
        return "kg/kWh";
    case Unit::Kilograms:
        return "kg";
    case Unit::WattsPerSecond:
        return "W/s";
    case Unit::Hertz:
        return "Hz";
    case Unit::SquareMetres:
        return "m²";
    case Unit::CubicMetres:
        return "m³";
    case Unit::CubicMetresPerSecond:
        return "m³/s";
    case Unit::KilogramsPerSquareMetre:
        return "kg/m²";
    case Unit::FlopPerJoule:
        return "FLOP/J";
    case Unit::TokensPerJoule:
        return "token/J";
    case Unit::FlopPerMoney:
        return "FLOP/money";
    }
    return "";
}

} // namespace cw::units
